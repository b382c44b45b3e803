import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram, errorsOf } from '../helpers/declarations.ts';

const file = new URL('wrong-programs.txt', import.meta.url);

/** What the programs have in common; none of it is wrong. */
const beginning = `import { ExamClient, isApiError, isExamServiceError, NotFoundError } from 'exam-service-sdk';
import type { Participant, StandardSchema } from 'exam-service-sdk';
import { createWebhookHandler, isUnknownEvent, recoverEvents, verifyWebhook } from 'exam-service-sdk/webhooks';
import type { WebhookEvent } from 'exam-service-sdk/webhooks';
import { createProxyHandler } from 'exam-service-sdk/proxy';
interface Titled { title: string }
declare const client: ExamClient;
declare const error: unknown;
declare const event: WebhookEvent;
declare const request: Request;
declare const titled: StandardSchema<Titled>;
declare const dated: StandardSchema<{ at: Date }>;
declare const rows: Record<string, string>[];
declare const pair: { participant_id: number; exam_id: number };
declare const pairs: (typeof pair)[];
declare function readTitles(client: ExamClient<Participant, Titled>): void;
`;

/** The programs of the file: lines that begin at its edge, below the first heading. */
const [head = '', ...sections] = readFileSync(file, 'utf8').split(/^(?=# )/m);
const linesOf = (section: string) => section.split('\n').filter((line) => /^\S/.test(line));
const programs = sections.flatMap((section) => linesOf(section).slice(1));
const nameOf = (code: string) => `wrong-${programs.indexOf(code)}`;
const program = createProgram({
  right: beginning,
  ...Object.fromEntries(programs.map((code) => [nameOf(code), beginning + code])),
});
const linesAbout = (code: string) => errorsOf(program, nameOf(code)).flatMap((error) => error.split('\n'));

test('what the programs have in common is right', () => {
  expect(errorsOf(program, 'right')).toEqual([]);
});

test('each of 60 wrong programs and more gets one error, of two lines at most', () => {
  expect(new Set(programs).size).toBe(programs.length);
  expect(programs.length).toBeGreaterThanOrEqual(60);
  expect(programs.filter((code) => errorsOf(program, nameOf(code)).length !== 1)).toEqual([]);
  expect(programs.filter((code) => linesAbout(code).length > 2)).toEqual([]);
});

test('the error is the one in the file', async () => {
  const written = sections.map((section) => {
    const [title, ...codes] = linesOf(section);
    const lines = codes.flatMap((code) => [code, ...linesAbout(code).map((line) => `    ${line.trim()}`)]);
    return [title, '', ...lines, ''].join('\n');
  });
  await expect(head + written.join('\n')).toMatchFileSnapshot(file.pathname);
});

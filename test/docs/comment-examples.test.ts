import { globSync, readFileSync } from 'node:fs';
import * as ts from 'typescript';
import { expect, test } from 'vitest';
import { createProgram, errorsOf } from '../helpers/declarations.ts';
import { repository } from './new-user.ts';

/** What the examples take as given. */
const given = `import * as z from 'zod';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ExamClient, type WebhookEndpoint } from 'exam-service-sdk';
import { createProxyHandler } from 'exam-service-sdk/proxy';
import * as receiving from 'exam-service-sdk/webhooks';
const { createWebhookHandler, isUnknownEvent, recoverEvents, toNodeListener, verifyWebhook } = receiving;
declare const client: ExamClient;
declare const rows: AsyncIterable<Record<string, string>>;
declare const emails: string[];
declare const endpoint: WebhookEndpoint;
declare const handler: receiving.WebhookHandler;
declare const secret: string;
declare const rawBody: Uint8Array;
declare const headers: Headers;
declare function participantOf(request: Request): number | null;
declare function save(id: number, score: number | null): Promise<void>;
`;

/** The examples in the comments of the declarations, by what they are about. */
function readExamples(): Map<string, string> {
  const examples = new Map<string, string>();
  for (const path of globSync('dist/*.d.cts', { cwd: repository })) {
    const text = readFileSync(`${repository}/${path}`, 'utf8');
    const visit = (node: ts.Node): void => {
      if (ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
        const example = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'example');
        const [, code = ''] = /```ts\n(.*)```/s.exec(ts.getTextOfJSDocComment(example?.comment) ?? '') ?? [];
        if (example !== undefined) examples.set(nameOf(node), code);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  }
  return examples;
}

/** `Exams.list`, or `ExamClient`. */
function nameOf({
  name,
  parent,
}: ts.ClassDeclaration | ts.FunctionDeclaration | ts.MethodDeclaration): string {
  const own = name?.getText() ?? '';
  return ts.isClassDeclaration(parent) ? `${parent.name?.text}.${own}` : own;
}

const examples = readExamples();

test('the ten calls that programs begin with have an example', () => {
  expect([...examples.keys()].sort()).toEqual(
    expect.arrayContaining([
      'ExamClient',
      'ExamClient.request',
      'ExamParticipants.assignAll',
      'ExamResults.list',
      'Participants.findByEmail',
      'Participants.importAll',
      'createProxyHandler',
      'createWebhookHandler',
      'recoverEvents',
      'verifyWebhook',
    ]),
  );
});

// Each in a function, since some of them return.
const programOf = (code: string) => `${given}export async function example() {\n${code}\n}\n`;
const files = Object.fromEntries([...examples].map(([name, code]) => [name, programOf(code)]));
const program = createProgram(files, { types: ['node'] });

test.each([...examples])('the example of %s compiles', (name, code) => {
  expect(code).not.toBe('');
  expect(errorsOf(program, name)).toEqual([]);
});

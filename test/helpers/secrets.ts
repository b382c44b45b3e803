import { inspect } from 'node:util';
import { expect } from 'vitest';
import {
  type ClientOptions,
  ExamServiceError,
  type OnRequestEvent,
  type OnResponseEvent,
} from '../../src/index.ts';
import { createClient, failure, recordLog } from './client.ts';
import { type ServiceResponse, startService } from './server.ts';

export const keys = ['rotated-key-a1', 'rotated-key-b2', 'rotated-key-c3'];
export const passwords = ['first-password-99', 'sl/ash"quote\\back', 'Zoë<ünïcode>&co'];
const secrets = [...keys, ...passwords];
export const rows = passwords.map((password, index) => ({
  email: `p${index}@example.test`,
  name: 'Ada',
  password,
}));

/** Everything that a value may be printed as. */
export function printed(value: unknown): string {
  const forms = [inspect(value, { depth: 10 }), JSON.stringify(value), String(value)];
  for (let at = value; at instanceof Error; at = at.cause) forms.push(at.message, at.stack ?? '');
  return forms.join('\n');
}

/** How a text looks inside another notation, where it is not the same. */
const notations = [
  (text: string) => text,
  (text: string) => JSON.stringify(text).slice(1, -1),
  (text: string) => inPhp(text).slice(1, -1),
];

/** JSON as PHP writes it: slashes and all beyond ASCII escaped. */
export function inPhp(value: unknown): string {
  const toUnit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^ -~]/g, toUnit);
}

export function expectNoSecret(text: string) {
  for (const secret of secrets) {
    for (const notation of notations) expect(text).not.toContain(notation(secret));
  }
}

/** Imports with rotating keys and a log at debug, and checks that neither error, log nor hook shows a secret. */
export async function importAndFail(target: { url: string }, code: string, options: ClientOptions = {}) {
  const logger = recordLog();
  const seen: (OnRequestEvent | OnResponseEvent)[] = [];
  const left = keys.values();
  const client = createClient(target, {
    apiKey: () => left.next().value ?? 'rotated-key-c3',
    maxRetries: 2,
    logger,
    logLevel: 'debug',
    hooks: { onRequest: (event) => seen.push(event), onResponse: (event) => seen.push(event) },
    ...options,
  });
  const error = await failure(client.participants.import(rows), ExamServiceError);
  expect(error.code).toBe(code);
  expectNoSecret(printed(error));
  expectNoSecret(printed(logger.lines));
  expectNoSecret(printed(seen));
  expectNoSecret(printed(client));
  return error;
}

/** A service that responds with everything that it has received so far: every key it got, and the passwords. */
export function startEchoingServer(respond: (echo: Echo, number: number) => ServiceResponse) {
  const echoed: string[] = [];
  return startService(({ headers }, { number }) => {
    echoed.push(String(headers['x-client-key']));
    const text = [...echoed, ...passwords].join(' | ');
    return respond(
      {
        text,
        key: echoed.join('+'),
        body: {
          message: `Rejected: ${text}.`,
          errors: { 'participants.0.password': [`bad: ${text}`], [text]: ['as a name'] },
        },
        headers: { 'X-Echo': echoed, 'X-Request-Id': echoed.join('+'), 'X-Password': passwords[0] ?? '' },
      },
      number,
    );
  });
}

export interface Echo {
  readonly text: string;
  readonly key: string;
  readonly body: object;
  readonly headers: Record<string, string | string[]>;
}

import {
  type ClientOptions,
  type Exam,
  ExamClient,
  type ExamResult,
  type Logger,
  type LogLevel,
  type Participant,
} from '../../src/index.ts';
import type { Emulator } from '../../src/testing/index.ts';
import type { FetchService } from './server.ts';

/** A service that nobody asks: for clients with a fetch of their own, or that send nothing. */
export const nowhere = { url: 'https://h.test/api/v1' };

/** A function that throws this. */
export const throwing = (error: unknown) => (): never => {
  throw error;
};

/** The key that the tests send; no other text in the tests holds it. */
export const testKey = 'key-7f3a9c51';

/** A client of a test service: silent, and without retries unless a test asks for them. */
export function createClient<P = Participant, E = Exam, R = ExamResult>(
  { url, fetch }: Pick<FetchService, 'url'> & Partial<FetchService>,
  options: ClientOptions<P, E, R> = {},
): ExamClient<P, E, R> {
  return new ExamClient({
    baseUrl: url,
    ...(fetch && { fetch }),
    apiKey: testKey,
    maxRetries: 0,
    logLevel: 'off',
    ...options,
  });
}

/** A client that calls an emulator directly, without a socket. */
export const clientOf = (emulator: Emulator, options?: ClientOptions): ExamClient =>
  createClient(
    { url: 'http://localhost/api/v1', fetch: (url, init) => emulator.fetch(url, init) },
    { apiKey: emulator.apiKey, ...options },
  );

/** What a promise rejects with; fails the test when it is fulfilled. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (reason) {
    return reason;
  }
  throw new Error(`Expected a rejection, got ${JSON.stringify(value)}.`);
}

type ErrorClass<T extends Error> = { readonly prototype: T; readonly name: string };

/** The error of this class that a promise rejects with; fails the test for anything else. */
export async function failure<T extends Error>(
  promise: PromiseLike<unknown>,
  expected: ErrorClass<T>,
): Promise<T> {
  return expectError(await rejection(promise), expected);
}

/** The error of this class that a function throws; fails the test for anything else. */
export function thrown<T extends Error>(act: () => unknown, expected: ErrorClass<T>): T {
  let value: unknown;
  try {
    value = act();
  } catch (error) {
    return expectError(error, expected);
  }
  throw new Error(`Expected a ${expected.name}, got ${String(value)}.`);
}

function expectError<T extends Error>(error: unknown, expected: ErrorClass<T>): T {
  if (isInstance(error, expected)) return error;
  throw new Error(`Expected a ${expected.name}, got ${String(error)}.`, { cause: error });
}

function isInstance<T extends Error>(value: unknown, expected: ErrorClass<T>): value is T {
  return Object.prototype.isPrototypeOf.call(expected.prototype, Object(value));
}

/** A logger that keeps its lines. */
export interface LogRecorder extends Logger {
  readonly lines: { readonly level: Exclude<LogLevel, 'off'>; readonly message: string }[];
}

export function recordLog(): LogRecorder {
  const lines: LogRecorder['lines'] = [];
  const log = (level: Exclude<LogLevel, 'off'>) => (message: string) => {
    lines.push({ level, message });
  };
  return { lines, debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

// What the recipes share besides the client: a service to work with, a receiver, progress, interruption, and files to write.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { createEmulator, type Fault } from 'exam-service-sdk/testing';
import { createWebhookHandler, toNodeListener, type WebhookHooks } from 'exam-service-sdk/webhooks';

/** What the examples work with: the service that the environment names, or an emulator of it on this machine. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Lets participants take an exam; `null` where real people have to. */
  readonly takeExam: ((exam: number, participants: ReadonlyArray<number>) => void) | null;
  close(): Promise<void>;
}

/** What an emulator is to hold at first. */
export interface Stock {
  /** Participants that are there already. @default 0 */
  readonly participants?: number;
  /** Whether each of them has a result. @default false */
  readonly results?: boolean;
  /** Emails of further participants, who have not verified them. @default none */
  readonly unverified?: readonly string[];
  /** What goes wrong with its requests. @default nothing */
  readonly faults?: readonly Fault[];
  /** The argument that a program needs before it changes anything on a real service; left out once it is given. */
  readonly missing?: string | false;
}

/**
 * Uses `EXAM_SERVICE_BASE_URL` and `EXAM_SERVICE_API_KEY`, or starts an emulator when neither is set; prints which. Setting one of
 * them is a mistake: you meant the real service, and would take the emulator's success for its own.
 */
export async function connectService(stock: Stock = {}): Promise<Service> {
  const { participants = 0, unverified = [], results = false, faults = [], missing = false } = stock;
  const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) {
    if (missing) giveUp(`${missing} is missing: this changes data of ${baseUrl}.`);
    console.log(`Service: ${baseUrl}`);
    return { baseUrl, apiKey, takeExam: null, close: async () => {} };
  }
  if (baseUrl || apiKey) {
    const missing = baseUrl ? 'EXAM_SERVICE_API_KEY' : 'EXAM_SERVICE_BASE_URL';
    giveUp(`${missing} is missing: set it as well, or neither for an emulator on this machine.`);
  }

  const emulator = createEmulator({ apiKey: 'quickstart-key' });
  emulator.control.seedExams([{ name: 'Mathematics, first term', name_short: 'MATH-1' }]);
  const people = emulator.control.seedParticipants(participants);
  if (results) {
    emulator.control.seedResults(
      people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: 40 + ((id * 37) % 120) / 2 })),
    );
  }
  emulator.control.seedParticipants(unverified.map((email) => ({ email, verified: false })));
  for (const fault of faults) emulator.faults.inject(fault);
  const server = await emulator.listen();
  console.log(`Service: ${server.url} (an emulator on this machine)`);
  return {
    baseUrl: server.url,
    apiKey: 'quickstart-key',
    takeExam(exam, participants) {
      for (const [index, participant] of participants.entries()) {
        const pair = { participant_id: participant, exam_id: exam };
        emulator.control.startExam(pair);
        emulator.control.finishExam({ ...pair, score: 55 + ((index * 37) % 90) / 2 });
      }
    },
    close: () => server.close(),
  };
}

/** Ends a program that cannot begin with the message alone: `await openCsv(path, columns).catch(giveUp)`. */
export function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/**
 * Aborts when the program is to end: at Ctrl-C (SIGINT), SIGTERM, or SIGHUP, when its terminal is closed. Then a job stops after what
 * it did, and the program says how to resume. The same signal again ends it immediately.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new Error('Interrupted')));
  return controller.signal;
}

/** An argument of a command to copy. */
export const quote = (argument: string) => (/\s/.test(argument) ? `"${argument}"` : argument);

/** Shows how far a job is. */
export interface Progress {
  /** So many more are done. @default 1 */
  step(count?: number): void;
  /** So many are done. */
  to(count: number): void;
  stop(): void;
}

/** One line, written again and again on a terminal; elsewhere (a pipe, a log file) once, when the work is done. */
export function startProgress(label: string, atLeast: number): Progress {
  const { stdout } = process;
  let done = 0;
  const line = () => `${stdout.isTTY ? '\r' : ''}${label}: ${done} of ${Math.max(done, atLeast)}`;
  const to = (count: number) => {
    done = count;
    if (stdout.isTTY) stdout.write(line());
  };
  return { to, step: (count = 1) => to(done + count), stop: () => console.log(line()) };
}

/** Writes a file beside its place and moves it there when it is whole: an interruption leaves the old one as it was. */
export async function replaceFile(path: string, write: (path: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await write(`${path}.new`);
  await rename(`${path}.new`, path);
}

/** Throws where a file is in the way that does not begin like those of the program: somebody's own, named by mistake. */
export async function checkReplaceable(path: string, header: string): Promise<void> {
  const text = existsSync(path) ? await readFile(path, 'utf8') : header;
  // With the mark of UTF-8 or without it.
  const unmarked = (line: string) => line.replace(/^\uFEFF/, '');
  if (unmarked(text).startsWith(unmarked(header))) return;
  throw new Error(`${path} is there already and was not written by this program: name another file.`);
}

/** What stands between two cells: with semicolons, numbers have decimal commas, as spreadsheets of much of Europe read both. */
export type Separator = ',' | ';';

/** Spreadsheets run a string that begins like a formula (`=`, `+`, `-`, `@`, tab, CR): it gets an apostrophe. Numbers stay numbers. */
const format = (separator: Separator) => ({
  escape_formulas: true,
  delimiter: separator,
  cast: {
    boolean: String,
    number: (value: number) => (separator === ';' ? String(value).replace('.', ',') : String(value)),
  },
});

/** The first line of a CSV file. It begins with the mark by which Excel knows UTF-8. */
export function toCsvHeader(columns: ReadonlyArray<string>, separator: Separator = ','): string {
  return stringify([columns], { ...format(separator), bom: true });
}

/** One line of a CSV file, with its line break. */
export function toCsvLine(values: ReadonlyArray<unknown>, separator: Separator = ','): string {
  return stringify([values], format(separator));
}

/** A small receiver of deliveries on this machine. */
export interface Receiver {
  readonly url: string;
  /** Scores by participant, from the deliveries that were verified. */
  readonly scores: ReadonlyMap<number, number | null>;
  /** The secret is known only once the endpoint is registered, which needs the receiver's address. */
  start(secret: string): void;
  /** Resolves when so many deliveries were verified, or after `milliseconds`. */
  waitFor(count: number, milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts one that reports to `hooks` alone. */
export async function startReceiver(hooks: WebhookHooks = {}): Promise<Receiver> {
  const scores = new Map<number, number | null>();
  let onScore = () => {};
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const server = createServer((request, response) => {
    if (listener) listener(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    scores,
    start(secret) {
      listener = toNodeListener(
        createWebhookHandler({
          secret,
          hooks,
          on: {
            'exam_result.completed': ({ data }) => {
              scores.set(data.participant.id, data.score);
              onScore();
            },
          },
        }),
      );
    },
    waitFor: (count, milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        onScore = () => {
          if (scores.size < count) return;
          clearTimeout(timer);
          resolve();
        };
        onScore();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

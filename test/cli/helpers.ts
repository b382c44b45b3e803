import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../src/cli/cli.ts';

/** A run of the program inside the test. */
export interface Run extends AsyncDisposable {
  /** Everything written so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when the output holds this. */
  shows(text: string | RegExp): Promise<void>;
  /** From now on, what it writes waits to be read. */
  stopReading(): void;
  readOn(): void;
  /** Stops it as a signal would, and gives its exit code. */
  stop(): Promise<number>;
  readonly exitCode: Promise<number>;
}

/** What a terminal is to the program. */
export interface Setting {
  /** Whether each stream is a terminal, or both. */
  isTTY?: boolean | { stdout: boolean; stderr: boolean };
  env?: Record<string, string>;
}

export function startCli(args: readonly string[], { isTTY = false, env = {} }: Setting = {}): Run {
  const stop = new AbortController();
  const written = { stdout: '', stderr: '' };
  let isRead = true;
  let waiting: { pattern: RegExp | string; found: () => void }[] = [];
  const contains = (pattern: RegExp | string) =>
    typeof pattern === 'string' ? written.stdout.includes(pattern) : pattern.test(written.stdout);
  const output = (name: keyof typeof written) => ({
    isTTY: typeof isTTY === 'boolean' ? isTTY : isTTY[name],
    writableLength: 0,
    write(text: string) {
      written[name] += text;
      if (!isRead) this.writableLength += text.length;
      for (const { pattern, found } of waiting) if (contains(pattern)) found();
      waiting = waiting.filter(({ pattern }) => !contains(pattern));
    },
  });
  const [stdout, stderr] = [output('stdout'), output('stderr')];
  const exitCode = runCli(args, {
    stdout,
    stderr,
    env,
    stop: stop.signal,
  });
  const end = async () => {
    stop.abort();
    return exitCode;
  };
  return {
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
    shows: (pattern) =>
      new Promise((found, reject) => {
        if (contains(pattern)) return found();
        waiting.push({ pattern, found });
        exitCode.then(
          (code) => reject(new Error(`It ended with ${code} before ${pattern}: ${written.stderr}`)),
          reject,
        );
      }),
    stopReading() {
      isRead = false;
    },
    readOn() {
      isRead = true;
      stdout.writableLength = 0;
    },
    stop: end,
    exitCode,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/** Runs the program to its end. */
export async function runToEnd(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = startCli(args);
  const code = await run.exitCode;
  return { code, stdout: run.stdout, stderr: run.stderr };
}

/** The base URL that a run of the emulator says it is at. */
export async function baseUrlOf(run: Run): Promise<string> {
  await run.shows(/http:\/\/\S+\/api\/v1/);
  return /http:\/\/[^\s"]+\/api\/v1/.exec(run.stdout)?.[0] ?? '';
}

/** Calls the service with the key of the run. */
export function call(baseUrl: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    'X-Client-Key': 'test-key',
    Authorization: 'Bearer test-key',
    'Content-Type': 'application/json',
  };
  return fetch(baseUrl + path, { headers, ...init });
}

/** A folder for the files of a test. */
export async function temporaryFolder(): Promise<{ file: (name: string) => string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'exam-service-cli-'));
  return {
    file: (name) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

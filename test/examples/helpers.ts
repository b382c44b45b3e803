import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from '../../src/testing/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The key that the examples are run with. */
export const apiKey = 'a-key-of-the-recipes';

/** What an example said, and how it ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an example as a separate process against a service, and kills it when `signal` aborts. */
export function runExample(
  name: string,
  args: readonly string[],
  service: string,
  more: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Run> {
  const env = { ...process.env, EXAM_SERVICE_BASE_URL: service, EXAM_SERVICE_API_KEY: apiKey, ...more };
  return new Promise((resolve) => {
    const options = { cwd: root, env, timeout: 300_000, killSignal: 'SIGKILL', signal } as const;
    execFile(process.execPath, [`examples/${name}`, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** What an example prints that finds only this of the service in its environment, and that succeeds without a warning. */
export async function outputOf(
  name: string,
  environment: Record<string, string> = {},
  ...args: string[]
): Promise<string> {
  const { EXAM_SERVICE_BASE_URL: _url, EXAM_SERVICE_API_KEY: _key, ...inherited } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [`examples/${name}`, ...args], {
    cwd: root,
    env: { ...inherited, ...environment },
    timeout: 200_000,
  });
  expect(stderr).toBe('');
  return stdout;
}

/** A folder for what an example reads and writes. */
export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'recipes-'));
  const file = (name: string) => join(path, name);
  return {
    path,
    file,
    /** The lines of a text file, without its mark. */
    linesOf: async (name: string) =>
      (await readFile(file(name), 'utf8'))
        .replace(/^\uFEFF/, '')
        .trimEnd()
        .split('\n'),
    remove: () => rm(path, { recursive: true }),
  };
}

/** Gives each test of a file a service with one exam, and a folder. */
export function serviceForEachTest() {
  let emulator: Emulator;
  let server: EmulatorServer;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  beforeEach(async () => {
    folder = await makeFolder();
    emulator = createEmulator({ apiKey });
    emulator.control.seedExams(1);
    server = await emulator.listen();
  });
  afterEach(async () => {
    await server.close();
    await folder.remove();
  });
  return {
    get emulator() {
      return emulator;
    },
    get url() {
      return server.url;
    },
    get path() {
      return folder.path;
    },
    file: (name: string) => folder.file(name),
    linesOf: (name: string) => folder.linesOf(name),
    run: (name: string, args: readonly string[]) => runExample(name, args, server.url),
  };
}

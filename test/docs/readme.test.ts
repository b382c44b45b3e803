import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the reader has around the snippets: a service that answers, and a vault that keeps the key. */
const surroundings = `
import { createEmulator as emulate } from 'exam-service-sdk/testing';

const vault = { read: async (_path: string) => ({ key: 'your-key' }) };
const service = emulate({ apiKey: 'your-key' });
service.control.seedExams(9);
service.control.seedParticipants(12);
service.control.seedResults([{ participant_id: 12, exam_id: 7, score: 87.5 }]);
globalThis.fetch = (input, init) => service.fetch(input, init);
`;

/** Every TypeScript block of the README, in order: a reader pastes them one after the other. */
async function readSnippets(): Promise<string[]> {
  const readme = await readFile(`${root}README.md`, 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

describe('the snippets of the README', () => {
  let folder: string;
  let file: string;

  beforeAll(async () => {
    // Inside the project, so that the package's own name leads to its build.
    folder = await mkdtemp(`${root}test/docs/.snippets-`);
    file = `${folder}/readme.ts`;
    await writeFile(file, [surroundings, ...(await readSnippets()), 'process.exit();'].join('\n'));
    await writeFile(
      `${folder}/tsconfig.json`,
      JSON.stringify({
        extends: '../../../examples/tsconfig.json',
        // A snippet may make a value only to show how.
        compilerOptions: { noUnusedLocals: false },
        include: ['readme.ts'],
      }),
    );
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('compile against the built package', async () => {
    const { stdout } = await run(process.execPath, [
      `${root}node_modules/typescript/bin/tsc`,
      '-p',
      folder,
    ]).catch((failure: { stdout: string }) => failure);
    expect(stdout).toBe('');
  }, 60_000);

  it('run, and print what the text says', async () => {
    const { stdout } = await run(process.execPath, [file], {
      env: { ...process.env, WEBHOOK_SECRET: 'whsec_a-secret-of-the-readme', PORT: '0' },
      timeout: 30_000,
    });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 9)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(lines).toContain('7 200 null 1 undefined');
    expect(stdout).toMatch(/^400 .*already.* null$/m);
    expect(lines).toContain('87.5');
    expect(lines).toContain('1 1 1 1');
  });
});

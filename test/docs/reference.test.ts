import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
let complaints: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exam-service-reference-'));
  const outcome = await run(
    process.execPath,
    [
      `${root}node_modules/typedoc/bin/typedoc`,
      '--options',
      'docs/typedoc.json',
      '--out',
      folder,
      '--logLevel',
      'Warn',
    ],
    { cwd: root, env: { ...process.env, NO_COLOR: '1' } },
  ).catch((failure: { stdout: string; stderr: string }) => failure);
  complaints = outcome.stdout + outcome.stderr;
});

afterAll(() => rm(folder, { recursive: true }));

test('every public symbol is documented and has its job, and every link in the comments leads somewhere', () => {
  expect(complaints).toBe('');
});

test('the reference can be searched, and lists the symbols by job, in the order of the work', async () => {
  expect((await stat(join(folder, 'assets/search.js'))).size).toBeGreaterThan(1_000);
  const page = await readFile(join(folder, 'modules/index.html'), 'utf8');
  const places = ['Set up a client', 'Import participants', 'Assign and send links', 'Handle errors'].map(
    (job) => page.indexOf(`>${job}<a`),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('the reference covers every entry of the package', async () => {
  const { exports } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  const { entryPoints } = JSON.parse(await readFile(`${root}docs/typedoc.json`, 'utf8'));
  const entries = Object.values(exports).filter((entry) => typeof entry === 'object');
  expect(entryPoints).toHaveLength(entries.length);
});

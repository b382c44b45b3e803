import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leanKy } from '../../scripts/build/lean-ky.ts';

const original = join(import.meta.dirname, '../../node_modules/ky');
let project = '';

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'lean-ky-'));
  await cp(original, join(project, 'node_modules/ky'), { recursive: true });
});

afterEach(() => rm(project, { recursive: true }));

/** Bundles what the package imports of ky. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export { default, NetworkError } from 'ky'", resolveDir: project },
    absWorkingDir: project,
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [leanKy],
  });
  return outputFiles[0]?.text ?? '';
}

async function edit(file: string, search: string, replacement: string): Promise<void> {
  const path = join(project, 'node_modules/ky', file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(search);
  await writeFile(path, text.replaceAll(search, replacement));
}

test('what cannot be reached of ky is left out, what can be is not', async () => {
  const code = await bundle();
  expect(code).not.toMatch(
    /empty\.invalid|Retry-After|TransformStream|appendSearchParameters|#calculateRetryDelay/,
  );
  expect(code).toMatch(/await this\.#options\.fetch\(request/);
});

test.each<[string, () => Promise<void>, string]>([
  [
    'is another release',
    () => edit('package.json', '"version": "2.1.0"', '"version": "2.1.1"'),
    'ky 2.1.1, not 2.1.0',
  ],
  [
    'no longer has a module',
    () =>
      edit(
        'distribution/core/Ky.js',
        "import { streamRequest, streamResponse } from '../utils/body.js';",
        '',
      ),
    'no module utils/body.js',
  ],
  [
    'no longer has a method',
    () => edit('distribution/core/Ky.js', 'static create(', 'static make('),
    'no create',
  ],
  [
    'wants something of a replaced module that it has not',
    () =>
      edit(
        'distribution/core/Ky.js',
        'import { findUnknownOptions',
        'import { findFlags, findUnknownOptions',
      ),
    '"findFlags"',
  ],
])('the build fails where ky %s', async (_, change, message) => {
  await change();
  await expect(bundle()).rejects.toThrow(message);
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { compiledIn } from '../../tsup.config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const read = (path: string) => readFile(root + path, 'utf8');

let files: string[];

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  files = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path = '']) => path);
});

test('the package holds its documents, its examples and its bill of materials, and nothing for developers', () => {
  for (const path of [
    'README.md',
    'LICENSE',
    'docs/SECURITY.md',
    'examples/quickstart.ts',
    'dist/sbom.cdx.json',
  ])
    expect(files).toContain(path);
  expect(files.filter((path) => /^(src|test|scripts|docs\/api|\.)|node_modules/.test(path))).toEqual([]);
});

test('every link and picture of a document leads to something that is in the package', async () => {
  const broken: string[] = [];
  const documents = files.filter((path) => path.endsWith('.md'));
  for (const path of documents) {
    const prose = (await read(path)).replaceAll(/^```.*?^```$/gms, '');
    for (const [, target = ''] of prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const found = posix.join(posix.dirname(path), target);
      if (!files.some((file) => file === found || file.startsWith(`${found}/`)))
        broken.push(`${path}: ${target}`);
    }
  }
  expect(documents.length).toBeGreaterThan(3);
  expect(broken).toEqual([]);
});

test('the security policy names every package that is compiled in', async () => {
  const table = (await read('docs/SECURITY.md')).match(/^\| package \| in \|$.*?\n\n/ms)?.[0] ?? '';
  for (const name of compiledIn) expect(table).toMatch(new RegExp(`[| ]${name}[, ]`));
});

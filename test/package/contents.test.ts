import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderSecurityPolicy } from '../../scripts/compiled-in/table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const read = (path: string) => readFile(root + path, 'utf8');

let files: string[];
let unpackedSize: number;

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  unpackedSize = Number(/"unpackedSize": (\d+)/.exec(stdout)?.[1]);
  files = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path = '']) => path);
});

test('the package holds its documents, its examples and its bill of materials, and nothing for developers', () => {
  for (const path of [
    'README.md',
    'LICENSE',
    'docs/SECURITY.md',
    'examples/quickstart.ts',
    'dist/sbom.cdx.json',
    'dist/THIRD-PARTY-NOTICES.md',
    'spec/openapi.json',
  ])
    expect(files).toContain(path);
  expect(
    files.filter((path) =>
      /^(src|test|scripts|docs\/(api|site|typedoc|coverage)|\.)|node_modules|metafile/.test(path),
    ),
  ).toEqual([]);
});

test('the package takes less than 2.35 MB, documents and examples included', () => {
  expect(unpackedSize).toBeLessThan(2_350_000);
});

/** What an install has no use for: npm leads the README's links to the repository, and a picture has its text. */
const inRepository = ['.github/CONTRIBUTING.md', 'docs/browser-example.png', 'docs/emulator-console.png'];

test('every link and picture of a document leads to something that is in the package', async () => {
  const broken: string[] = [];
  const documents = files.filter((path) => path.endsWith('.md'));
  for (const path of documents) {
    const prose = (await read(path)).replaceAll(/^```.*?^```$/gms, '');
    for (const [, target = ''] of prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const found = posix.join(posix.dirname(path), target);
      if (inRepository.includes(found)) continue;
      if (!files.some((file) => file === found || file.startsWith(`${found}/`)))
        broken.push(`${path}: ${target}`);
    }
  }
  expect(documents.length).toBeGreaterThan(3);
  expect(broken).toEqual([]);
});

describe('the security policy', () => {
  test('says which package is compiled into which entry, as the build has it: `npm run security-table` writes it', async () => {
    expect(await read('docs/SECURITY.md')).toBe(renderSecurityPolicy());
  });

  test('names every environment variable of the service that the built files read', async () => {
    const policy = await read('docs/SECURITY.md');
    const code = await Promise.all(files.filter((path) => /^dist\/.*\.c?js$/.test(path)).map(read));
    const names = new Set(code.join('\n').match(/\bEXAM_SERVICE_[A-Z_]+\b/g));
    expect(names.size).toBeGreaterThan(1);
    for (const name of names) expect(policy).toContain(name);
  });
});

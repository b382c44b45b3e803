import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './new-user.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const contributing = read('.github/CONTRIBUTING.md');

test('CONTRIBUTING names files that are there', () => {
  const files = globSync(['{src,test,scripts}/**/*.ts', 'bench/*.ts'], {
    cwd: repository,
    exclude: ['**/node_modules/**'],
  });
  const named = [...contributing.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

test('scripts of npm that documents and workflows call are there', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const texts = globSync(
    ['*.md', '.github/*.md', '.github/workflows/*.yml', '.ci/run', 'docs/*.md', 'examples/*.md'],
    { cwd: repository },
  );
  expect(texts).toContain('.github/workflows/release.yml');
  for (const name of texts) {
    for (const [call, script = ''] of read(name).matchAll(/^[^\n]*\bnpm run ([\w:-]+)/gm)) {
      if (!call.includes('--prefix')) expect(scripts, `${name}: ${call}`).toHaveProperty([script]);
    }
  }
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../scripts/openapi/operations.ts';
import * as main from '../../src/index.ts';
import { documents, readme } from './documents.ts';
import { repository } from './new-user.ts';

/** Base classes that are never thrown themselves. */
const bases = ['ExamServiceError', 'RequestError', 'ResponseError'];

describe('the README', () => {
  it('is short', () => {
    const words = readme.text.split(/\s+/).filter((word) => /\w/.test(word));
    expect(words.length).toBeLessThanOrEqual(1_100);
  });

  it('begins with the installation, and ends with two commands for a clone', () => {
    const commands = [...readme.text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code);
    expect(commands.at(0)?.trim()).toBe('npm install exam-service-sdk');
    expect(commands.at(-1)?.trim().split('\n')).toEqual([
      expect.stringMatching(/^npm ci && npm start +# /),
      expect.stringMatching(/^npm ci && npm test +# /),
    ]);
  });

  it('leads to every document, by links', () => {
    const names = documents.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    const reached = new Set(['README.md']);
    for (const name of reached) {
      const text = existsSync(join(repository, name)) ? readFileSync(join(repository, name), 'utf8') : '';
      for (const [, path = ''] of text.matchAll(/\]\((?!https?:)([^)#]+\.md)/g))
        reached.add(join(dirname(name), path));
    }
    const lost = [...names, '.github/CONTRIBUTING.md', 'CHANGELOG.md'].filter((name) => !reached.has(name));
    expect(lost).toEqual([]);
  });
});

it('is beside an AGENTS.md that names every document of the package', () => {
  const text = readFileSync(join(repository, 'AGENTS.md'), 'utf8');
  const names = globSync('docs/*.md', { cwd: repository }).map((name) => name.replace('docs/', ''));
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('docs/errors.md', () => {
  const { text = '' } = documents.find(({ name }) => name === 'docs/errors.md') ?? {};

  it('has a row for every error class, with its code', () => {
    const classes = Object.entries(main).filter(
      ([name, value]) =>
        typeof value === 'function' && value.prototype instanceof Error && !bases.includes(name),
    );
    expect(classes.length).toBeGreaterThan(15);
    for (const [name, value] of classes) {
      const { kind } = value as unknown as { readonly kind: string };
      expect(text).toContain(`| \`${name}\` | \`${kind}\` |`);
    }
  });

  it('names every code, also of errors whose class is not exported', () => {
    const codes = globSync('src/{core,proxy,resources,webhooks}/**/*.ts', { cwd: repository }).flatMap(
      (file) => {
        const source = readFileSync(join(repository, file), 'utf8');
        return [...source.matchAll(/override readonly code = '(\w+)'/g)].map(([, code]) => code);
      },
    );
    expect(codes).toContain('event_busy');
    for (const code of codes) expect(text).toContain(`| \`${code}\` |`);
  });
});

describe('docs/service.md', () => {
  const { text = '' } = documents.find(({ name }) => name === 'docs/service.md') ?? {};

  it.each([...operations.values()])(
    'has a row with the method and the request of $id',
    ({ id, method, path }) => {
      const [, name = ''] = id.split('.');
      const rows = text.split('\n').filter((line) => line.includes(`| \`${method} ${path}\``));
      expect(rows.some((row) => row.split('|')[1]?.includes(`${name}(`))).toBe(true);
    },
  );
});

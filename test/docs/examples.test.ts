import { readdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = `${root}examples/`;

/** Which test runs which program under examples/. What these import runs with them. */
const runBy: Readonly<Record<string, readonly string[]>> = {
  'test/browser-example/page.test.ts': ['browser/src/main.ts'],
  'test/browser-example/start.test.ts': ['browser/start.ts'],
  'test/emulator/recipes.test.ts': ['testing/browser.test.ts', 'testing/node.test.ts'],
  'test/examples/campaign.test.ts': ['campaign/plan.ts', 'campaign/status.ts', 'campaign/worker.ts'],
  'test/examples/quickstart.test.ts': ['quickstart.ts'],
  'test/examples/export-results.test.ts': ['export-results.ts'],
  'test/examples/recipes.test.ts': ['import-participants.ts', 'assign-and-link.ts', 'sync-roster.ts'],
  'test/receivers/aws-lambda.test.ts': ['receivers/aws-lambda.ts'],
  'test/receivers/bullmq.test.ts': ['receivers/bullmq/receiver.ts', 'receivers/bullmq/worker.ts'],
  'test/receivers/cloudflare-worker.test.ts': ['receivers/cloudflare-worker.ts'],
  'test/receivers/http-recipes.test.ts': [
    'receivers/express.ts',
    'receivers/fastify.ts',
    'receivers/hono.ts',
    'receivers/node-http.ts',
    'receivers/send-delivery.ts',
  ],
  'test/receivers/next-route.test.ts': ['receivers/next-route.ts'],
  'test/receivers/recover.test.ts': ['receivers/recover.ts'],
  'test/receivers/rotate-secret.test.ts': ['receivers/rotate-secret.ts'],
  'test/receivers/redis-deduplication.test.ts': ['receivers/redis-deduplication.ts'],
};

const programs = Object.values(runBy).flat();

async function filesOf(ending: string): Promise<string[]> {
  const files = await readdir(examples, { recursive: true });
  return files.filter((name) => name.endsWith(ending) && !name.includes('node_modules'));
}

/** A file and all that it imports from examples/. */
async function withImports(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = await readFile(examples + file, 'utf8');
  for (const [, path = ''] of code.matchAll(/from '(\.[^']+\.ts)'/g)) {
    await withImports(resolve(examples, dirname(file), path).slice(examples.length), seen);
  }
  return seen;
}

describe('the examples', () => {
  test('are all run by a test', async () => {
    const run = new Set<string>();
    for (const program of programs) await withImports(program, run);
    expect([...run].toSorted()).toEqual((await filesOf('.ts')).toSorted());
  });

  test.each(Object.entries(runBy))('%s names what it runs', async (file, names) => {
    const code = await readFile(root + file, 'utf8');
    for (const name of names) {
      const [folder = '', ...rest] = name.split('/');
      const [stem = ''] = (rest.at(-1) ?? folder).split('.');
      expect(code.includes(stem) || code.includes(`examples/${folder}`), `${file}: ${name}`).toBe(true);
    }
  });

  test('import the package by its name, and nothing of its source', async () => {
    for (const file of await filesOf('.ts')) {
      expect(await readFile(examples + file, 'utf8'), file).not.toMatch(
        /from '[^']*\/(src\/(index|client)|dist)\b/,
      );
    }
  });

  test('all stand in a README of the examples', async () => {
    let text = '';
    for (const readme of await filesOf('README.md')) text += await readFile(examples + readme, 'utf8');
    expect(programs.filter((program) => !text.includes(program.split('/').at(-1) ?? program))).toEqual([]);
  });
});

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = `${root}examples/`;

/** Which test runs which program under examples/. What these import runs with them. */
const runBy: Readonly<Record<string, readonly string[]>> = {
  'test/browser-example/page.test.ts': ['browser/src/main.ts'],
  'test/browser-example/start.test.ts': ['browser/start.ts'],
  'test/browser-example/queries.test.ts': ['browser/src/queries.ts'],
  'test/emulator/recipes.test.ts': ['testing/browser.test.ts', 'testing/node.test.ts'],
  'test/examples/assign-and-link.test.ts': ['assign-and-link.ts'],
  'test/examples/campaign.test.ts': ['campaign/plan.ts', 'campaign/status.ts', 'campaign/worker.ts'],
  'test/examples/observability.test.ts': ['observability.ts'],
  'test/examples/quickstart.test.ts': ['quickstart.ts'],
  'test/examples/export-results.test.ts': ['export-results.ts'],
  'test/examples/import-participants.test.ts': ['import-participants.ts'],
  'test/examples/sync-roster.test.ts': ['sync-roster.ts'],
  'test/proxy/recipes.test.ts': ['proxies/express.ts', 'proxies/hono.ts', 'proxies/next-route.ts'],
  'test/receivers/aws-lambda.test.ts': ['receivers/aws-lambda.ts'],
  'test/receivers/bullmq.test.ts': ['receivers/bullmq/receiver.ts', 'receivers/bullmq/worker.ts'],
  'test/receivers/http-recipes.test.ts': [
    'receivers/express.ts',
    'receivers/fastify.ts',
    'receivers/frameworks/koa.ts',
    'receivers/frameworks/nestjs.ts',
    'receivers/hono.ts',
    'receivers/node-http.ts',
    'receivers/send-delivery.ts',
  ],
  'test/receivers/inbox.test.ts': ['inbox/start.ts', 'inbox/status.ts'],
  'test/receivers/recover.test.ts': ['receivers/recover.ts'],
  'test/receivers/rotate-secret.test.ts': ['receivers/rotate-secret.ts'],
  'test/receivers/redis-deduplication.test.ts': ['receivers/redis-deduplication.ts'],
  'test/runtimes/workers.ts': ['proxies/cloudflare-worker.ts', 'receivers/cloudflare-worker.ts'],
  'test/receivers/routes.test.ts': ['receivers/next-route.ts', 'receivers/sveltekit-route.ts'],
};

const programs = Object.values(runBy).flat();

/** Nothing below node_modules, where a link to this package leads round in a circle. */
function filesOf(ending: string): string[] {
  const exclude = (name: string) => basename(name) === 'node_modules';
  return globSync(`**/*${ending}`, { cwd: examples, exclude });
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
    expect([...run].toSorted()).toEqual(filesOf('.ts').toSorted());
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
    for (const file of filesOf('.ts')) {
      expect(await readFile(examples + file, 'utf8'), file).not.toMatch(
        /from '[^']*\/(src\/(index|client)|dist)\b/,
      );
    }
  });

  test('can be copied with one file from beside them, and the recipes for files alone', async () => {
    const alone = ['import-participants.ts', 'assign-and-link.ts', 'export-results.ts', 'sync-roster.ts'];
    const applications = /^(browser|campaign|inbox|receivers\/bullmq)\//;
    for (const program of programs.filter((name) => !applications.test(name))) {
      const beside = (await withImports(program)).size - 1;
      expect(beside, program).toBeLessThanOrEqual(alone.includes(program) ? 0 : 1);
    }
  });

  test('are started with a Node that runs them, also where the system has Node 20', async () => {
    for (const file of [...filesOf('.ts'), ...filesOf('README.md')]) {
      const text = await readFile(examples + file, 'utf8');
      expect(text.match(/.*(?<!npx )\bnode (examples|dist)\/.*/g), file).toBeNull();
    }
  });

  test('say in the README which files they write', async () => {
    const readme = await readFile(`${examples}README.md`, 'utf8');
    const written: string[] = [];
    for (const file of filesOf('.ts')) {
      const code = await readFile(examples + file, 'utf8');
      written.push(...[...code.matchAll(/'(out\/[^']+)'/g)].map(([, path = '']) => path));
    }
    expect(written).toContain('out/links.csv');
    for (const path of written) expect(readme).toContain(`\`${path}\``);
  });

  test('all stand in a README of the examples', async () => {
    let text = '';
    for (const readme of filesOf('README.md')) text += await readFile(examples + readme, 'utf8');
    expect(programs.filter((program) => !text.includes(program.split('/').at(-1) ?? program))).toEqual([]);
  });
});

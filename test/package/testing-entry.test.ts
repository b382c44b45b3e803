import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const run = promisify(execFile);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

/** The files that an entry loads, itself included, at once and later. */
async function reachable(entry: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const code = await read(`dist/${entry}`);
  for (const [, chunk] of code.matchAll(/(?:from|import|import\(|require\() ?["']\.\/([^"']+)["']/g)) {
    if (chunk !== undefined) await reachable(chunk, seen);
  }
  return seen;
}

/** Runs code in a folder that holds the built package and nothing else. */
async function runAlone(file: string, code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'exam-service-package-'));
  try {
    await cp(new URL('dist', root), join(folder, 'dist'), { recursive: true });
    await cp(new URL('package.json', root), join(folder, 'package.json'));
    await writeFile(join(folder, file), code);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
    expect(stderr).toBe('');
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.each(['index', 'webhooks'])('the %s entry', (entry) => {
  test.each(['js', 'cjs'])(
    'holds nothing of the emulator, its console or the program (%s)',
    async (ending) => {
      for (const file of await reachable(`${entry}.${ending}`)) {
        const code = await read(`dist/${file}`);
        for (const mark of [
          'emulator',
          'Hono',
          'EventSource',
          'parseArgs',
          'relax_column_count',
          'msw',
          '/api/v1/',
        ]) {
          expect(code.toLowerCase().includes(mark.toLowerCase()), `${mark} in ${file}`).toBe(false);
        }
      }
    },
  );
});

test('the program is not part of any other entry', async () => {
  for (const entry of ['index.js', 'webhooks.js', 'testing.js', 'testing-msw.js']) {
    expect(await reachable(entry)).not.toContain('cli.js');
  }
});

const useEmulator = `
  const emulator = createEmulator();
  emulator.control.seedExams(1);
  const server = await emulator.listen();
  const answer = await fetch(server.url + '/exams/1', { headers: { 'X-Client-Key': 'test-key' } });
  const page = await fetch(new URL('/', server.url));
  await server.close();
  console.log(answer.status, page.status, signWebhook({ body: '{}', secret: 's', timestamp: 1 }).slice(0, 7));`;

test('the testing entry works where msw is not installed', async () => {
  const imports = `import { createEmulator, signWebhook } from 'exam-service-sdk/testing';`;
  expect(await runAlone('use.mjs', imports + useEmulator)).toBe('200 200 t=1,v1=');
  const requires = `const { createEmulator, signWebhook } = require('exam-service-sdk/testing');`;
  expect(await runAlone('use.cjs', `${requires}(async () => {${useEmulator}})();`)).toBe('200 200 t=1,v1=');
});

test('the emulator listens where CommonJS cannot import anything, as in Jest', async () => {
  const asJest = `
    const { createRequire, Module } = require('node:module');
    const { compileFunction } = require('node:vm');
    Module.prototype._compile = function (code, filename) {
      compileFunction(code, ['exports', 'require', 'module'], { filename })(this.exports, createRequire(filename), this);
    };`;
  const requires = `const { createEmulator, signWebhook } = require('exam-service-sdk/testing');`;
  expect(await runAlone('use.cjs', `${asJest}${requires}(async () => {${useEmulator}})();`)).toBe(
    '200 200 t=1,v1=',
  );
});

test.each([
  ['msw', 'testing-msw', '>=2'],
  ['@opentelemetry/api', 'opentelemetry', '^1.9.0'],
])('%s is a package that one may have, and only the entry %s imports it', async (name, entry, range) => {
  const manifest = JSON.parse(await read('package.json'));
  expect(manifest.peerDependencies[name]).toBe(range);
  expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  const askers: string[] = [];
  for (const file of await readdir(new URL('dist', root))) {
    const imports = (await read(`dist/${file}`)).matchAll(
      /\b(?:from|import|import\(|require\()\s*['"]([^'"]+)['"]/g,
    );
    if ([...imports].some(([, imported]) => imported === name)) askers.push(file);
  }
  expect(askers.toSorted()).toEqual(['cjs', 'd.cts', 'js'].map((ending) => `${entry}.${ending}`));
});

test('where there is no Node, the built-in modules that the testing entry names are left out', async () => {
  const named = new Set<string>();
  for (const file of await reachable('testing.js')) {
    for (const [, name] of (await read(`dist/${file}`)).matchAll(
      /(?:^|;)import\b[^'";]*from ?['"]([^.'"][^'"]*)['"]/gm,
    )) {
      named.add(name ?? '');
    }
  }
  const { browser } = JSON.parse(await read('package.json'));
  expect([...named].toSorted()).toEqual(Object.keys(browser).toSorted());
});

test('where they are left out, a delivery cannot be signed, and the error says so', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { signedWebhook } from 'exam-service-sdk/testing'",
      resolveDir: root.pathname,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const page = await import(`data:text/javascript,${encodeURIComponent(String(outputFiles[0]?.text))}`);
  expect(() => page.signedWebhook({ body: '{}', secret: 's' })).toThrow('`node:crypto`');
});

test('the program is a file that a shell can run', async () => {
  const { bin } = JSON.parse(await read('package.json'));
  expect(bin).toEqual({ 'exam-service-sdk': 'dist/cli.js' });
  expect(await read('dist/cli.js')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect((await stat(new URL('dist/cli.js', root))).mode & 0o111).toBe(0o111);
});

test('the script of the console is whole after the build', async () => {
  const code = `import { createEmulator } from 'exam-service-sdk/testing';
    const server = await createEmulator().listen();
    console.log(await (await fetch(new URL('/console/live.js', server.url))).text());
    await server.close();`;
  const script = await runAlone('use.mjs', code);
  expect(script).toMatch(/^\(function \w+\(\) ?\{/);
  expect(() => new Script(script)).not.toThrow();
  expect(script).not.toMatch(/__name|import_|chunk-/);
});

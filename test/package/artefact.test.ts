import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const run = promisify(execFile);

const read = (path: string) => readFile(new URL(path, root), 'utf8');

async function evaluate(type: 'module' | 'commonjs', code: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], { cwd: root });
  return JSON.parse(stdout);
}

/** The chunks that an entry loads, itself included. */
async function reachable(entry: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const code = await read(`dist/${entry}`);
  for (const [, chunk] of code.matchAll(/(?:from |import |require\()["']\.\/([^"']+)["']/g)) {
    if (chunk !== undefined) await reachable(chunk, seen);
  }
  return seen;
}

describe('the built package', () => {
  it('adds no other package to an install', async () => {
    const manifest = JSON.parse(await read('package.json'));
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.sideEffects).toBe(false);
    expect(manifest.engines.node).toBe('>=20.3');
  });

  it.each([
    ['exam-service-sdk', ['ExamClient', 'isApiError', 'responseSchemas']],
    ['exam-service-sdk/webhooks', ['verifyWebhookSignature']],
    ['exam-service-sdk/testing', ['createEmulator']],
    ['exam-service-sdk/opentelemetry', ['openTelemetry']],
  ])('%s gives the same names by import and by require', async (name, expected) => {
    const imported = await evaluate(
      'module',
      `import * as entry from '${name}'; console.log(JSON.stringify(Object.keys(entry).sort()))`,
    );
    const required = await evaluate(
      'commonjs',
      `console.log(JSON.stringify(Object.keys(require('${name}')).sort()))`,
    );
    expect(imported).toEqual(expect.arrayContaining(expected));
    expect(required).toEqual(imported);
  });

  it('prints what calls give by the names that users know', async () => {
    const printed = await evaluate(
      'module',
      `import { inspect } from 'node:util';
      import { ExamClient } from 'exam-service-sdk';
      const fetch = async () => Response.json({ data: [{ id: 3 }] });
      const client = new ExamClient({ baseUrl: 'https://exams.example.test', apiKey: 'key', fetch });
      const call = client.exams.list();
      const given = [client, call, await call];
      console.log(JSON.stringify(given.map((value) => inspect(value).split(' ')[0])));`,
    );
    expect(printed).toEqual(['ExamClient', 'PagePromise', 'Page']);
  });

  it.each(['index.js', 'webhooks.js'])('%s imports no module of Node and no package', async (entry) => {
    for (const chunk of await reachable(entry)) {
      const imports = [
        ...(await read(`dist/${chunk}`)).matchAll(/^(?:import|export) .*?from ?["']([^"']+)["']/gm),
      ];
      expect(imports.map(([, source]) => source).filter((source) => !source?.startsWith('./'))).toEqual([]);
    }
  });

  it.each([
    ['index.js', 3],
    ['webhooks.js', 1],
    ['proxy.js', 3],
    ['opentelemetry.js', 1],
  ])('%s loads few files: each takes its time at the start of an application', async (entry, count) => {
    expect([...(await reachable(entry))]).toHaveLength(count);
  });

  it('imports the API of OpenTelemetry in its own entry alone, and nothing else there', async () => {
    const packages = new Map<string, string[]>();
    for (const entry of ['index.js', 'webhooks.js', 'testing.js', 'cli.js', 'opentelemetry.js']) {
      const names: string[] = [];
      for (const chunk of await reachable(entry)) {
        const imports = (await read(`dist/${chunk}`)).matchAll(/^import .*?from ?["']([^."'][^"']*)["']/gm);
        names.push(...[...imports].map(([, name = '']) => name));
      }
      packages.set(entry, names);
    }
    expect(packages.get('opentelemetry.js')).toEqual(['@opentelemetry/api']);
    packages.delete('opentelemetry.js');
    expect([...packages.values()].flat().filter((name) => name.includes('opentelemetry'))).toEqual([]);
  });

  it.each<['module' | 'commonjs', string]>([
    ['module', "await import('exam-service-sdk')"],
    ['commonjs', "require('exam-service-sdk')"],
  ])('keeps the names of its classes in a %s, which a printed error shows', async (type, entry) => {
    const names = await evaluate(
      type,
      `const classes = Object.entries(${entry}).filter(([name]) => /^[A-Z][a-z]/.test(name));
      console.log(JSON.stringify(classes.map(([name, { name: own }]) => [name, own])))`,
    );
    expect(names).toContainEqual(['TimeoutError', 'TimeoutError']);
    // The base is abstract, so nothing is printed under its name.
    const concrete = (names as [string, string][]).filter(([name]) => name !== 'ExamServiceError');
    expect(concrete.filter(([name, own]) => name !== own)).toEqual([]);
  });

  it('holds ky as it is: every message of its source is found in the built files', async () => {
    const source = await read('node_modules/ky/distribution/core/Ky.js');
    const messages = [...source.matchAll(/(?:Error\(|Message = )(['`])(.{20,}?)\1[,)]?/g)].map(
      ([, , text]) => text,
    );
    expect(messages.length).toBeGreaterThan(5);
    for (const entry of ['index.js', 'index.cjs']) {
      const code = (
        await Promise.all([...(await reachable(entry))].map((file) => read(`dist/${file}`)))
      ).join('\n');
      // Quotes may be others, and nothing but quotes.
      const unescaped = (text = '') => text.replaceAll('\\`', '`');
      const missing = messages.filter((message) => !unescaped(code).includes(unescaped(message)));
      expect(missing).toEqual([]);
    }
  });

  it('is readable: the files that applications load keep their lines and names', async () => {
    for (const chunk of await reachable('index.js')) {
      const lines = (await read(`dist/${chunk}`)).split('\n');
      expect(Math.max(...lines.map(({ length }) => length)), chunk).toBeLessThan(1_000);
    }
  });

  it('brings the licences of every package that is compiled in', async () => {
    const { components } = JSON.parse(await read('dist/sbom.cdx.json'));
    const notices = await read('dist/THIRD-PARTY-NOTICES.md');
    expect(components.map(({ name }: { name: string }) => name)).toContain('ky');
    for (const { name } of components) {
      const files = await readdir(new URL(`node_modules/${name}/`, root));
      const license = files.find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
      expect(license, `${name} has no licence file`).toBeDefined();
      expect(notices).toContain((await read(`node_modules/${name}/${license}`)).trim());
    }
  });
});

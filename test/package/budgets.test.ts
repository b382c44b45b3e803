import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** What a user's bundler makes of an import, for a browser. */
async function bundle(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const code = outputFiles.map(({ text }) => text).join('');
  return { code, gzip: gzipSync(code, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
}

const main = "export * from 'exam-service-sdk'";
const webhooks = "export * from 'exam-service-sdk/webhooks'";
const receiver = "export { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks'";
const proxy = "export * from 'exam-service-sdk/proxy'";
const signature = "export { verifyWebhookSignature } from 'exam-service-sdk/webhooks'";

// Ceilings, in bytes after gzip: a little above what was measured, so that growth is noticed where it happens.
test.each([
  // ky and zod are 16 kB of it, jobs 8.5. 1.3 kB read a list until a pass adds nothing, find people by email so and leave known ones
  // alone; 1.5 kB say which call was meant, what a parameter, a column or an option is called, and which fields other frameworks reject.
  ['the whole main entry', main, 56_050],
  // 0.3 kB end a recovery at a record without a time and after five passes, and check its arguments; 0.3 refuse what has no event key.
  ['the whole webhooks entry', webhooks, 13_000],
  // Its messages, names and codes are 1.5 kB of it, and 0.55 kB of the next one. 80 bytes more drain a rejected upload over HTTP/2,
  // 80 read a number as a text and give `onInvalid` the raw body; 240 are what the next one says of secrets, bodies and tolerances; 270
  // read what was recovered as live.
  ['a receiver for Node', receiver, 9_400],
  // Of these, 0.5 kB are the base of all errors, and the names that were meant by misspelt options. 70 bytes more say which shape
  // the function takes where the header is passed by itself; 20 look up what other clients call an option; 70 say which mistake a secret
  // has, and what happened to a body that is not raw; 160 check what is passed as options are, and that seconds are meant; 100 say that
  // a secret is in quotes, and how Express and NestJS leave a body raw.
  ['the check of a signature alone', signature, 4_053],
  // 1.3 kB of it is `toNodeListener`. 1.5 kB keep what is not for a page from it: traces of the service, its 401 and 403, the key,
  // scopes that forced nothing. 1.6 kB are what it shares with the client: options with suggestions, deadlines, body reading, redaction.
  ['the whole proxy entry', proxy, 9_500],
])('%s stays within its size for a browser', async (_, contents, ceiling) => {
  expect((await bundle(contents)).gzip).toBeLessThanOrEqual(ceiling);
});

test.each([
  ['exam-service-sdk', 20],
  ['exam-service-sdk/webhooks', 3],
  ['exam-service-sdk/proxy', 2],
])('an error class of %s, a guard or `VERSION` by itself stays below 1 kB', async (entry, least) => {
  const names = Object.keys(await import(entry)).filter((name) => /Error$|^VERSION$/.test(name));
  expect(names.length).toBeGreaterThan(least);
  for (const name of names) {
    const { gzip } = await bundle(`export { ${name} } from '${entry}'`);
    expect(gzip, name).toBeLessThanOrEqual(1_000);
  }
});

test('docs/browsers.md and the README say what the client takes, and the proxy', async () => {
  const text = await readFile(`${root}docs/browsers.md`, 'utf8');
  const said = /minified by esbuild, is (\d+) kB \(gzip\); `createProxyHandler` is (\d+) kB/.exec(text) ?? [];
  const client = await bundle("export { ExamClient } from 'exam-service-sdk'");
  const handler = await bundle("export { createProxyHandler } from 'exam-service-sdk/proxy'");
  expect(Math.abs(client.gzip / 1_000 - Number(said[1]))).toBeLessThan(1);
  expect(Math.abs(handler.gzip / 1_000 - Number(said[2]))).toBeLessThan(1);
  expect(text).toContain(`It adds [${said[1]} kB]`);
  const readme = await readFile(`${root}README.md`, 'utf8');
  expect(readme).toContain(`${said[1]} kB in a browser (gzip)`);
});

test('docs/react.md says what zod/mini saves', async () => {
  const text = await readFile(`${root}docs/react.md`, 'utf8');
  const [, said] = /about (\d+) kB \(gzip\) smaller/.exec(text) ?? [];
  const page = (zod: string) =>
    bundle(`import { ExamClient } from 'exam-service-sdk';
      import * as z from '${zod}';
      export default new ExamClient({ schemas: { exam: z.looseObject({ id: z.number(), name: z.string() }) } });`);
  const saved = (await page('zod')).gzip - (await page('zod/mini')).gzip;
  expect(Math.abs(saved / 1_000 - Number(said))).toBeLessThan(1);
});

describe('nothing that must not be bundled is bundled', () => {
  test.each([
    ['main', main],
    ['webhooks', webhooks],
  ])('into the %s entry: no emulator, no msw, no module of Node', async (_, contents) => {
    const { code, inputs } = await bundle(contents);
    expect(inputs.filter((path) => /testing|emulator|cli|node_modules/.test(path))).toEqual([]);
    expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["']node:/);
    expect(code).not.toContain('msw');
  });

  test('into the webhooks entry: neither the client nor ky nor zod', async () => {
    const { code } = await bundle(webhooks);
    expect(code).not.toMatch(/X-Client-Key|\/exam-participants|ZodMini|KyError/);
  });
});

test('the proxy entry brings neither ky nor zod, and no module of Node', async () => {
  const { code, inputs } = await bundle(proxy);
  expect(inputs.filter((path) => /testing|emulator|cli|node_modules/.test(path))).toEqual([]);
  expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["']node:/);
  expect(code).not.toMatch(/ZodMini|KyError|ExamClient/);
});

test('the entry for OpenTelemetry brings its API and no other package, no client and no module of Node', async () => {
  const { code, inputs } = await bundle("export * from 'exam-service-sdk/opentelemetry'");
  const packages = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  expect(new Set(packages)).toEqual(new Set(['@opentelemetry/api']));
  expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["']node:/);
  expect(code).not.toMatch(/X-Client-Key|\/exam-participants|ZodMini|KyError/);
});

test('an install brings one package', async () => {
  const manifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  expect(Object.keys(manifest.dependencies ?? {})).toEqual([]);
  expect(Object.keys(manifest.optionalDependencies ?? {})).toEqual([]);
  const peers = Object.keys(manifest.peerDependencies ?? {});
  expect(peers.filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true)).toEqual([]);
});

/** Loads an entry in a process whose clock, network, environment and globals are watched. */
const watch = (load: string) => `
  const seen = [];
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
    const original = globalThis[name];
    globalThis[name] = (...parts) => { seen.push(name); return original(...parts); };
  }
  // Node loads its fetch when somebody first looks at one of these, which takes longer than the package itself.
  for (const name of ['fetch', 'Request', 'Response', 'Headers', 'FormData', 'WebSocket', 'EventSource']) {
    Object.defineProperty(globalThis, name, { get() { seen.push(name); } });
  }
  const env = process.env;
  Object.defineProperty(process, 'env', {
    value: new Proxy(env, { get: (target, key) => {
      // The platform's own module loader reads the environment, too.
      if (new Error().stack.includes('/dist/')) seen.push('env ' + String(key));
      return target[key];
    } }),
  });
  const before = new Set(Reflect.ownKeys(globalThis));
  ${load};
  await new Promise((resolve) => process.nextTick(resolve));
  const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key)).map(String);
  console.log(JSON.stringify({ seen, added }));
`;

const loads: [string, (entry: string) => string][] = [
  ['importing', (entry) => `await import('${entry}')`],
  [
    'requiring',
    (entry) => `process.getBuiltinModule('node:module').createRequire(process.cwd() + '/_')('${entry}')`,
  ],
];

async function observe(code: string): Promise<{ seen: string[]; added: string[] }> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', watch(code)], {
    cwd: root,
  });
  return JSON.parse(stdout);
}

describe.each(loads)('%s', (_, load) => {
  test('exam-service-sdk/webhooks starts nothing, asks nothing and leaves no global', async () => {
    expect(await observe(load('exam-service-sdk/webhooks'))).toEqual({ seen: [], added: [] });
  });

  test('exam-service-sdk does no more than ky, which finds out what the platform can do', async () => {
    const { seen, added } = await observe(load('exam-service-sdk'));
    expect(seen).toEqual((await observe("await import('ky')")).seen);
    // zod keeps its configuration on globalThis; nothing else may appear there.
    expect(added).toEqual(['__zod_globalConfig']);
  });
});

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
const oneError = "export { RateLimitError } from 'exam-service-sdk'";

// Ceilings, in bytes after gzip: a little above what was measured, so that growth is noticed where it happens.
// The main entry is meant to take 41,000 and does not yet: limits that cost waits, jobs that judge by evidence and the messages that
// say what to do came in, and what they replaced was smaller. It is to shrink, not to grow.
test.each([
  // 400 bytes more than before keep jobs and lists from losing rows in silence: sources that were read before, items without a key,
  // `return` while a page is awaited, an abort where nothing is sent. 250 more do so where a page leads on in other words, rows share
  // an id, or an error of another call is the reason of an abort, and keep keys out of the log, and rows out of causes. 390 more where
  // an answer holds an error and no data, or counts less than it leads to. 110 more, of which the three below have theirs, let classes
  // of options, hooks and handlers have members of their own, and still refuse a misspelt one, a Map and a signal.
  ['the whole main entry', main, 45_530],
  // These have 460, 480 and 170 bytes more than before, each for deliveries that were lost in silence: to a framework that does not know
  // the answer, to an event that a dead process had claimed or that nobody asked for yet, to a handler or hook that is misnamed or
  // returns what is not finished, to a schema that never ends, to a buffer that changes. 10, 25 and 30 more look up what a platform may
  // refuse to show: on Next.js' edge runtime, every delivery was answered with 500. 210 more copy what a `secret` function, a store or a
  // stream throws, and the proxy what its `apiKey` function throws: such an error holds the request with its credentials. 50 fail an
  // answer that a framework sends as JSON: its `{}` with 200 acknowledged every delivery that was refused or failed.
  ['the whole webhooks entry', webhooks, 12_080],
  // Its messages, names and codes are 1.5 kB of it, and 0.55 kB of the next one.
  ['a receiver for Node', receiver, 8_655],
  // Of these, 0.5 kB are the base of all errors, and the names that were meant by misspelt options. 30 more tell a mistake in what a
  // `secret` function gives from its failure.
  ['the check of a signature alone', signature, 3_665],
  // 10 bytes more than before, for a timer that ends with its request, and 160 for a `Retry-After` that is a date: without them the
  // proxy asks a service again that wants to be left alone. 70 more answer requests without a signal of the runtime, all of which failed
  // on Azure Functions, and say what is not a request, or a response that cannot be given twice.
  ['the whole proxy entry', proxy, 4_700],
  ['the class of one error', oneError, 900],
])('%s stays within its size for a browser', async (_, contents, ceiling) => {
  expect((await bundle(contents)).gzip).toBeLessThanOrEqual(ceiling);
});

test('docs/browsers.md says what the client and the proxy take', async () => {
  const text = await readFile(`${root}docs/browsers.md`, 'utf8');
  const said = /minified by esbuild, is (\d+) kB \(gzip\); `createProxyHandler` is (\d+) kB/.exec(text) ?? [];
  const client = await bundle("export { ExamClient } from 'exam-service-sdk'");
  const handler = await bundle("export { createProxyHandler } from 'exam-service-sdk/proxy'");
  expect(Math.abs(client.gzip / 1_000 - Number(said[1]))).toBeLessThan(1);
  expect(Math.abs(handler.gzip / 1_000 - Number(said[2]))).toBeLessThan(1);
  expect(text).toContain(`| the client, [${said[1]} kB]`);
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

// The proxy with its recipes, the sentences of two versions of the framework and five new pages of documents made 0.3 MB of it.
test('an install takes at most 2.55 MB, documents and examples included', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const [, size] = /"unpackedSize": (\d+)/.exec(stdout) ?? [];
  expect(Number(size)).toBeLessThanOrEqual(2_550_000);
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

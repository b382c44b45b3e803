import { mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSecrets, writeSecret } from '../../examples/receivers/secret-file.ts';
import { ExamClient } from '../../src/index.ts';
import { createEmulator, signedWebhook } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { body, handledLine, send } from './deliveries.ts';
import { runRecipe, startRecipe } from './recipe.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotation-'));
  path = join(folder, 'secret.json');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

test('a secret is rotated under a running receiver, which takes both and no other', async () => {
  const emulator = createEmulator();
  const server = await emulator.listen();
  const { webhooks } = new ExamClient({ baseUrl: server.url, apiKey: 'test-key' });
  const { id, secret: old } = await webhooks.create({
    url: 'https://receiver.example.test/',
    events: ['exam_result.completed'],
  });
  const env = {
    EXAM_SERVICE_BASE_URL: server.url,
    EXAM_SERVICE_API_KEY: 'test-key',
    EXAM_SERVICE_WEBHOOK_SECRET: old,
    SECRET_FILE: path,
  };
  await using recipe = await startRecipe('rotate-secret', env);
  const deliver = async (signedWith: string) =>
    (await send(recipe.url, signedWebhook({ body, secret: signedWith }))).status;
  expect(await deliver(old)).toBe(204);
  const rotated = await runRecipe('rotate-secret', [String(id)], env);
  expect(rotated).toEqual({ code: 0, stdout: `Endpoint ${id} has a new secret, in ${path}.\n`, stderr: '' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const [secret = ''] = emulator.snapshot().endpoints.map((endpoint) => endpoint.secret);
  expect(secret).not.toBe(old);

  // The receiver looks into the file at most once a second; the service repeats deliveries that are rejected before.
  await vi.waitUntil(async () => (await deliver(secret)) === 204, { timeout: 60_000, interval: 100 });
  expect(await deliver(old)).toBe(204);
  expect(await deliver('whsec_of_nobody')).toBe(400);
  expect(await recipe.stop()).toBe(0);
  expect(recipe.output.filter((line) => line === handledLine)).toHaveLength(3);
  await server.close();
});

/** What the program is started with, against a service that must not be asked unless `rotated` says so. */
async function startRotation(secret: string, onRotation: () => void = () => {}) {
  const server = await startServer(() => {
    onRotation();
    return {
      body: { data: { id: 3, url: 'https://receiver.example.test/', events: [], secret: 'whsec_new_4f' } },
    };
  });
  const env = {
    EXAM_SERVICE_BASE_URL: server.url,
    EXAM_SERVICE_API_KEY: 'test-key',
    EXAM_SERVICE_WEBHOOK_SECRET: secret,
    SECRET_FILE: path,
  };
  return { server, rotate: () => runRecipe('rotate-secret', ['3'], env) };
}

longTest('without a known secret of today nothing is rotated', async () => {
  const { server, rotate } = await startRotation('');
  await using _closed = server;
  const { code, stderr } = await rotate();
  expect(code).toBe(1);
  expect(stderr).toContain('holds no secret, so set EXAM_SERVICE_WEBHOOK_SECRET to the one of today.');
  expect(server.requests).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

longTest.each<[string, () => Promise<unknown>, RegExp]>([
  ['that cannot be written', () => mkdir(`${path}.new`), /EISDIR/],
  ['that is not JSON', () => writeFile(path, 'whsec_pasted'), /secret\.json is not JSON\. Correct it/],
])('with a file %s nothing is rotated, and no secret is shown', async (_kind, prepare, message) => {
  await prepare();
  const { server, rotate } = await startRotation('whsec_first_7a');
  await using _closed = server;
  const { code, stderr } = await rotate();
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('whsec_');
  expect(server.requests).toEqual([]);
});

longTest('a new secret that cannot be written any more is kept, and the program says where', async () => {
  const { server, rotate } = await startRotation('whsec_first_7a', () => mkdirSync(`${path}.new`));
  await using _closed = server;
  const { code, stderr } = await rotate();
  expect(code).toBe(1);
  expect(stderr).not.toContain('whsec_');
  const [, kept = ''] = /The new secret is in (.+\.json)\. Move that file to/.exec(stderr) ?? [];
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  // Receivers still know the old one, and take both once the file is where it belongs.
  expect(await readSecrets(path, '')).toEqual(['whsec_first_7a']);
  await rename(kept, path);
  expect(await readSecrets(path, '')).toEqual(['whsec_new_4f', 'whsec_first_7a']);
});

longTest('the file keeps the previous secret for as long as it should, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  expect(await readSecrets(path, 'first')).toEqual(['first']);
  await writeSecret(path, 'second', 'first', 1000);
  expect(await readSecrets(path, 'first')).toEqual(['second', 'first']);
  await writeSecret(path, 'third', 'first', 1000);
  expect(await readSecrets(path, 'first')).toEqual(['third', 'second']);
  expect(await readFile(path, 'utf8')).not.toContain('first');
  vi.setSystemTime(1000);
  expect(await readSecrets(path, 'first')).toEqual(['third']);
});

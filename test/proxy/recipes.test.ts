import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { startExample } from '../receivers/recipe.ts';

const apiKey = 'the-key-that-no-page-may-see';
const session = { cookie: 'session=a-long-random-session-id' };

async function startEmulator() {
  const emulator = createEmulator({ apiKey });
  const people = emulator.control.seedParticipants(2);
  emulator.control.seedExams(1);
  emulator.control.seedResults(people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id })));
  const { url, close } = await emulator.listen();
  const env = { EXAM_SERVICE_BASE_URL: url, EXAM_SERVICE_API_KEY: apiKey, PORT: '0' };
  return { emulator, env, [Symbol.asyncDispose]: close };
}

type Call = (
  path: string,
  headers?: Record<string, string>,
) => Promise<{ status: number; json(): Promise<unknown> }>;

/** A participant gets their own results, a stranger nothing, and nobody another operation. */
async function expectToGuard(call: Call): Promise<void> {
  const results = await call('/exam-results?participant_id=2', session);
  expect(results.status).toBe(200);
  expect(await results.json()).toMatchObject({ data: [{ participant: { id: 1 } }] });
  expect((await call('/exam-results?participant_id=2')).status).toBe(401);
  expect((await call('/participants', session)).status).toBe(403);
}

afterEach(() => void vi.unstubAllEnvs());

describe('the recipes for a proxy', () => {
  test.each(['hono', 'express'])('%s guards the results of participants', async (name) => {
    await using service = await startEmulator();
    await using recipe = await startExample(`proxies/${name}`, service.env);
    await expectToGuard((path, headers = {}) => fetch(recipe.url + path, { headers }));
    expect(service.emulator.requests).toHaveLength(1);
    expect(await recipe.stop()).toBe(0);
  });

  test('next-route guards the results of participants', async () => {
    await using service = await startEmulator();
    for (const [name, value] of Object.entries(service.env)) vi.stubEnv(name, value);
    const { GET } = await import('../../examples/proxies/next-route.ts');
    await expectToGuard((path, headers = {}) =>
      GET(new Request(`http://localhost/api/v1${path}`, { headers })),
    );
    expect(service.emulator.requests).toHaveLength(1);
  });

  test('cloudflare-worker guards the results of participants', async () => {
    await using service = await startEmulator();
    const entry = fileURLToPath(new URL('../../examples/proxies/cloudflare-worker.ts', import.meta.url));
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
    const miniflare = new Miniflare({
      modules: [
        { type: 'ESModule', path: 'worker.js', contents: outputFiles.map(({ text }) => text).join() },
      ],
      compatibilityDate: '2026-07-01',
      cf: false,
      bindings: service.env,
    });
    try {
      await expectToGuard((path, headers = {}) =>
        miniflare.dispatchFetch(`http://worker.test/api/v1${path}`, { headers }),
      );
      expect(service.emulator.requests).toHaveLength(1);
    } finally {
      await miniflare.dispose();
    }
  });
});

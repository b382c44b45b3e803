import { describe, expect, test, vi } from 'vitest';
import { startExample } from '../receivers/recipe.ts';
import { expectToGuard, startEmulator } from './helpers.ts';

type Env = Awaited<ReturnType<typeof startEmulator>>['env'];

describe('the recipes for a proxy', () => {
  test.each(['hono', 'express'])('%s guards the results of participants', async (name) => {
    await using service = await startEmulator();
    await using recipe = await startExample(`proxies/${name}`, service.env);
    await expectToGuard((path, headers = {}) => fetch(recipe.url + path, { headers }));
    expect(service.emulator.requests).toHaveLength(1);
    expect(await recipe.stop()).toBe(0);
  });

  // The Worker runs in workerd in the long form of `test/runtimes`.
  test.each<[string, (env: Env) => Promise<(request: Request) => Promise<Response>>]>([
    ['next-route', async () => (await import('../../examples/proxies/next-route.ts')).GET],
    [
      'cloudflare-worker',
      async (env) => {
        const { default: worker } = await import('../../examples/proxies/cloudflare-worker.ts');
        return (request) => worker.fetch(request, env);
      },
    ],
  ])('%s guards the results of participants', async (_, load) => {
    await using service = await startEmulator();
    for (const [name, value] of Object.entries(service.env)) vi.stubEnv(name, value);
    const respond = await load(service.env);
    await expectToGuard((path, headers = {}) =>
      respond(new Request(`http://localhost/api/v1${path}`, { headers })),
    );
    expect(service.emulator.requests).toHaveLength(1);
  });
});

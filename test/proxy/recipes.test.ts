import { describe, expect, test, vi } from 'vitest';
import { startExample } from '../receivers/recipe.ts';
import { expectToGuard, startEmulator } from './helpers.ts';

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
});

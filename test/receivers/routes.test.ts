import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveries, handledLine, rejectedLines, secret } from './deliveries.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

type Receive = (request: Request) => Promise<Response>;

const routes: readonly [name: string, load: () => Promise<Receive>][] = [
  ['next-route', async () => (await import('../../examples/receivers/next-route.ts')).POST],
  [
    'sveltekit-route',
    async () => {
      const { POST } = await import('../../examples/receivers/sveltekit-route.ts');
      return (request) => POST({ request });
    },
  ],
];

describe.each(routes)('the recipe %s', (_, load) => {
  test('handles a signed delivery, and rejects forged, altered and stale ones', async () => {
    vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
    const receive = await load();
    for (const [kind, status, text, delivery] of deliveries()) {
      const response = await receive(delivery.toRequest());
      expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
    }
    expect(vi.mocked(console.log).mock.calls).toEqual([[handledLine]]);
    expect(vi.mocked(console.warn).mock.calls).toEqual(rejectedLines.map((line) => [line]));
  });

  test('loads without a secret, as a build does, and the first delivery reports it', async () => {
    vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', '');
    const receive = await load();
    const request = new Request('https://receiver.test/', { method: 'POST' });
    await expect(receive(request)).rejects.toMatchObject({ code: 'configuration' });
  });
});

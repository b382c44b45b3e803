import { beforeEach, describe, expect, test, vi } from 'vitest';
import { completed } from '../webhooks/helpers.ts';
import { createInvalidFolder, deliveries, handledLine, rejectedLines, secret } from './deliveries.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
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
  test('handles a signed delivery, rejects forged, altered and stale ones, and keeps one that is not as documented', async () => {
    await using invalid = await createInvalidFolder();
    vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
    vi.stubEnv('INVALID_DIR', invalid.path);
    const receive = await load();
    const sent = deliveries();
    for (const [kind, status, text, delivery] of sent) {
      const response = await receive(delivery.toRequest());
      expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
    }
    await invalid.expectKept(sent);
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

// It runs in workerd in the long form of `test/runtimes`.
test('the recipe cloudflare-worker keeps the result of a signed delivery, and one that is not as documented', async () => {
  const { default: worker } = await import('../../examples/receivers/cloudflare-worker.ts');
  const kept = new Map<string, string>();
  const put = async (key: string, value: string | Uint8Array) => {
    kept.set(key, Buffer.from(value).toString());
  };
  const sent = deliveries();
  for (const [kind, status, text, delivery] of sent) {
    const env = { EXAM_SERVICE_WEBHOOK_SECRET: secret, RESULTS: { put } };
    const response = await worker.fetch(delivery.toRequest(), env);
    expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
  }
  expect([...kept]).toEqual([
    ['result:7', JSON.stringify(completed.data)],
    [expect.stringMatching(/^invalid:[0-9a-f]{64}$/), await sent.at(-1)?.[3].toRequest().text()],
  ]);
  expect(vi.mocked(console.warn).mock.calls).toEqual(rejectedLines.slice(0, -1).map((line) => [line]));
});

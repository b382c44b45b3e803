import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deliveries, handledLine, refusedLines, secret } from './deliveries.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const loadRoute = () => import('../../examples/receivers/next-route.ts');

test('the route handles a signed delivery, and refuses forged, altered and stale ones', async () => {
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
  const { POST } = await loadRoute();
  for (const [kind, status, text, delivery] of deliveries) {
    const response = await POST(delivery.toRequest());
    expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
  }
  expect(vi.mocked(console.log).mock.calls).toEqual([[handledLine]]);
  expect(vi.mocked(console.warn).mock.calls).toEqual(refusedLines.map((line) => [line]));
});

test('the module loads without a secret, as a build does, and the first delivery tells', async () => {
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', '');
  const { POST } = await loadRoute();
  const request = new Request('https://receiver.test/', { method: 'POST' });
  await expect(POST(request)).rejects.toMatchObject({ code: 'configuration' });
});

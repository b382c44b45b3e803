import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SignedWebhook } from '../../src/testing/index.ts';
import { deliveries, handledLine, refusedLines, secret } from './deliveries.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

// The builders write what receivers read; the full event types have much more.
const formats: readonly [string, (delivery: SignedWebhook, base64: boolean) => object][] = [
  ['1.0', (delivery, base64) => delivery.toLambdaV1({ base64 })],
  ['2.0', (delivery, base64) => delivery.toLambdaV2({ base64 })],
];

const loadFunction = () => import('../../examples/receivers/aws-lambda.ts');

describe.each(formats)('with events in format %s', (_, toEvent) => {
  test.each([
    ['as text', false],
    ['in base64', true],
  ])(
    'the function handles a signed delivery %s, and refuses forged, altered and stale ones',
    async (_encoding, base64) => {
      const { handler } = await loadFunction();
      for (const [kind, status, text, delivery] of deliveries) {
        const event = toEvent(delivery, base64) as APIGatewayProxyEvent | APIGatewayProxyEventV2;
        expect(await handler(event), kind).toMatchObject({ statusCode: status, body: text });
      }
      expect(vi.mocked(console.log).mock.calls).toEqual([[handledLine]]);
      expect(vi.mocked(console.warn).mock.calls).toEqual(refusedLines.map((line) => [line]));
    },
  );
});

test('a request without a body, such as a browser makes, is told the method to use', async () => {
  const { handler } = await loadFunction();
  const event = {
    version: '2.0',
    headers: {},
    requestContext: { http: { method: 'GET', path: '/' } },
    isBase64Encoded: false,
  };
  const answer = await handler(event as unknown as APIGatewayProxyEventV2);
  expect(answer).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
});

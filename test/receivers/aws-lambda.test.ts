import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SignedWebhook } from '../../src/testing/index.ts';
import { deliveries, handledLine, rejectedLines, secret } from './deliveries.ts';

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
type HttpEvent = APIGatewayProxyEvent & APIGatewayProxyEventV2 & ALBEvent;

const formats: readonly [string, (delivery: SignedWebhook, base64: boolean) => object][] = [
  ['format 1.0', (delivery, base64) => delivery.toLambdaV1({ base64 })],
  ['format 2.0', (delivery, base64) => delivery.toLambdaV2({ base64 })],
  [
    'the form of a load balancer',
    (delivery, base64) => {
      const { multiValueHeaders, ...event } = delivery.toLambdaV1({ base64 });
      return event;
    },
  ],
  [
    'the form of a load balancer with multi-value headers',
    (delivery, base64) => {
      const { headers, ...event } = delivery.toLambdaV1({ base64 });
      return event;
    },
  ],
];

const loadFunction = () => import('../../examples/receivers/aws-lambda.ts');

describe.each(formats)('with events in %s', (_, toEvent) => {
  test.each([
    ['as text', false],
    ['in base64', true],
  ])(
    'the function handles a signed delivery %s, and rejects forged, altered and stale ones',
    async (_encoding, base64) => {
      const { handler } = await loadFunction();
      for (const [kind, status, text, delivery] of deliveries()) {
        const event = toEvent(delivery, base64) as HttpEvent;
        expect(await handler(event), kind).toMatchObject({ statusCode: status, body: text });
      }
      expect(vi.mocked(console.log).mock.calls).toEqual([[handledLine]]);
      expect(vi.mocked(console.warn).mock.calls).toEqual(rejectedLines.map((line) => [line]));
    },
  );
});

test.each([
  [
    'format 2.0',
    { version: '2.0', headers: {}, requestContext: { http: { method: 'GET', path: '/' } } },
    { headers: { allow: 'POST', 'content-type': expect.any(String) } },
  ],
  [
    'the form of a load balancer',
    { httpMethod: 'GET', headers: {}, body: '' },
    { headers: { allow: 'POST', 'content-type': expect.any(String) } },
  ],
  [
    'the form of a load balancer with multi-value headers',
    { httpMethod: 'TRACE', multiValueHeaders: {}, body: '' },
    { multiValueHeaders: { allow: ['POST'], 'content-type': [expect.any(String)] } },
  ],
])('another method gets the one to use, in %s', async (_, event, headers) => {
  const { handler } = await loadFunction();
  expect(await handler({ ...event, isBase64Encoded: false } as unknown as HttpEvent)).toEqual({
    statusCode: 405,
    body: expect.any(String),
    ...headers,
  });
});

test('an event whose headers are null, as the console of the API Gateway sends it, is rejected', async () => {
  const { handler } = await loadFunction();
  const event = { httpMethod: 'POST', headers: null, multiValueHeaders: null, body: null };
  expect(await handler({ ...event, isBase64Encoded: false } as unknown as HttpEvent)).toMatchObject({
    statusCode: 400,
    body: 'header_missing',
    headers: { 'content-type': expect.any(String) },
  });
});

test('a header that was sent twice is read with both its values', async () => {
  const { handler } = await loadFunction();
  const [, , , delivery] = deliveries()[0] ?? expect.unreachable();
  const { multiValueHeaders, ...event } = delivery.toLambdaV1();
  const both = { ...multiValueHeaders, 'X-Cbt-Signature': [delivery.signature, delivery.signature] };
  const responses = [
    await handler({ ...event, multiValueHeaders: both } as unknown as HttpEvent),
    await handler({ ...event, headers: {}, multiValueHeaders } as unknown as HttpEvent),
  ];
  expect(responses).toMatchObject([
    { statusCode: 400, body: 'header_malformed' },
    { statusCode: 204, body: '' },
  ]);
});

import type { ALBEvent, APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SignedWebhook } from '../../src/testing/index.ts';
import { createInvalidFolder, deliveries, handledLine, rejectedLines, secret } from './deliveries.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

// What receivers read; the full event types have much more.
type HttpEvent = APIGatewayProxyEvent & APIGatewayProxyEventV2 & ALBEvent;

/** What all formats share, and the headers in their two forms, with their names as sent. */
function partsOf(delivery: SignedWebhook, base64 = false) {
  const parts = delivery.toNodeParts();
  const headers = { 'Content-Type': 'application/json', 'X-Cbt-Signature': parts.headers['x-cbt-signature'] };
  return {
    lowerCased: parts.headers,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    rest: {
      body: Buffer.from(parts.body).toString(base64 ? 'base64' : 'utf8'),
      isBase64Encoded: base64,
    },
  };
}

const httpMethod = 'POST';
const formats: readonly [string, (parts: ReturnType<typeof partsOf>) => object][] = [
  [
    'format 1.0',
    ({ headers, multiValueHeaders, rest }) => ({ httpMethod, headers, multiValueHeaders, ...rest }),
  ],
  [
    'format 2.0',
    ({ lowerCased, rest }) => ({
      version: '2.0',
      headers: lowerCased,
      requestContext: { http: { method: httpMethod, path: '/' } },
      ...rest,
    }),
  ],
  ['the form of a load balancer', ({ headers, rest }) => ({ httpMethod, headers, ...rest })],
  [
    'the form of a load balancer with multi-value headers',
    ({ multiValueHeaders, rest }) => ({ httpMethod, multiValueHeaders, ...rest }),
  ],
];

const loadFunction = () => import('../../examples/receivers/aws-lambda.ts');

describe.each(formats)('with events in %s', (_, toEvent) => {
  test.each([
    ['as text', false],
    ['in base64', true],
  ])(
    'the function handles a signed delivery %s, rejects forged, altered and stale ones, and keeps one that is not as documented',
    async (_encoding, base64) => {
      await using invalid = await createInvalidFolder();
      vi.stubEnv('INVALID_DIR', invalid.path);
      const { handler } = await loadFunction();
      const sent = deliveries();
      for (const [kind, status, text, delivery] of sent) {
        const event = toEvent(partsOf(delivery, base64)) as HttpEvent;
        expect(await handler(event), kind).toMatchObject({ statusCode: status, body: text });
      }
      await invalid.expectKept(sent);
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
  const { multiValueHeaders, rest } = partsOf(delivery);
  const event = { httpMethod, ...rest };
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

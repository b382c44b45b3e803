// Compiled only: the compiler checks what a receiver's author sees.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { ExamClient, WebhookDelivery } from '../../src/index.ts';
import {
  createMemoryStore,
  createWebhookHandler,
  type ExamResultCompletedData,
  type ExamResultCompletedEvent,
  eventKeyOf,
  isUnknownEvent,
  recoverEvents,
  type StandardSchema,
  safeVerifyWebhook,
  toNodeListener,
  type UnknownWebhookEvent,
  verifyWebhook,
  type WebhookContext,
  type WebhookEvent,
  type WebhookEventHandler,
  type WebhookEventMap,
  type WebhookEventName,
  type WebhookHandler,
  type WebhookSchemas,
  webhookEventSchema,
} from '../../src/webhooks/index.ts';

declare const request: Request;
declare const standard: StandardSchema<{ grade: string }>;
const options = { secret: 'whsec_test' };

// The name of an event decides its payload, once unknown events are set aside
const event = await verifyWebhook(request, options);
expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
if (isUnknownEvent(event)) {
  expectTypeOf(event).toEqualTypeOf<UnknownWebhookEvent>();
  expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
  if (event.event === 'exam.published') expectTypeOf(event.created_at).toEqualTypeOf<string>();
}

// Schemas refine payloads, here of zod, of zod/mini and of the bare standard
const schemas = {
  'exam_result.scored': z.object({
    score: z.coerce.number(),
    at: z.string().transform((text) => new Date(text)),
  }),
  'exam_participant.registered': mini.object({ participant_id: mini.number() }),
  'exam_participant.unregistered': standard,
};
const refined = await verifyWebhook(request, { ...options, schemas });
if (!isUnknownEvent(refined)) {
  if (refined.event === 'exam_result.scored') {
    expectTypeOf(refined.data).toEqualTypeOf<{ score: number; at: Date }>();
  }
  if (refined.event === 'exam_participant.registered') {
    expectTypeOf(refined.data).toEqualTypeOf<{ participant_id: number }>();
  }
  if (refined.event === 'exam_participant.unregistered') {
    expectTypeOf(refined.data).toEqualTypeOf<{ grade: string }>();
  }
  if (refined.event === 'exam_result.completed') {
    expectTypeOf(refined.data).toEqualTypeOf<ExamResultCompletedData>();
  }
}
// One list names the events
expectTypeOf<keyof WebhookEventMap>().toEqualTypeOf<WebhookEventName>();
expectTypeOf<keyof WebhookSchemas>().toEqualTypeOf<WebhookEventName>();

expectTypeOf(webhookEventSchema).toEqualTypeOf<StandardSchema<WebhookEvent>>();

// @ts-expect-error: no documented event has this name
verifyWebhook(request, { ...options, schemas: { 'exam_result.complete': standard } });

const result = await safeVerifyWebhook(request, { ...options, schemas });
// Every field is in both, so that it can be destructured
const { ok, event: verified, error: rejection } = result;
if (ok) expectTypeOf(rejection).toEqualTypeOf<null>();
else expectTypeOf(verified).toEqualTypeOf<null>();

// Handlers get their own event
const handler = createWebhookHandler({
  ...options,
  schemas,
  on: {
    'exam_result.completed': async (received, context) => {
      expectTypeOf(received.data.participant.email).toEqualTypeOf<string | null>();
      expectTypeOf(context).toEqualTypeOf<WebhookContext>();
    },
    'exam_result.scored': ({ data }) => expectTypeOf(data.at).toEqualTypeOf<Date>(),
  },
  onUnknown: (received) => expectTypeOf(received).toEqualTypeOf<UnknownWebhookEvent>(),
});
expectTypeOf(handler).toBeCallableWith(request);
expectTypeOf(handler.dispatch).toBeCallableWith(refined, { eventKey: 'key' });
// A receiver with schemas is a receiver
expectTypeOf(handler).toExtend<WebhookHandler>();

// What a handler returns is ignored, so it may be anything; a Response, which would never be sent, fails the delivery
declare const job: { readonly id: string; readonly data: object };
class Certificate {
  readonly number = 7;
}
export const handlers: readonly WebhookEventHandler<ExamResultCompletedEvent>[] = [
  () => {},
  async () => {},
  (_, context) => [context].push(context),
  async () => job,
  () => Promise.all([job, 7]),
  () => [job, job].map(async ({ id }) => id),
  async () => [Promise.resolve(job)],
  async () => new Certificate(),
  async ({ data }) => data.score ?? undefined,
  () => new Map(),
  () => Promise.reject(new Error('away')),
  () => {
    throw new Error('away');
  },
];
createWebhookHandler({
  ...options,
  schemas,
  onInvalid: ({ body, issues }, context) => {
    expectTypeOf(body.event).toEqualTypeOf<WebhookEventName>();
    expectTypeOf(issues[0]?.path).toEqualTypeOf<string | undefined>();
    expectTypeOf(context.request).toEqualTypeOf<Request | null>();
  },
  deduplication: {
    store: createMemoryStore(),
    ttlSeconds: 601,
    key: (received) => {
      expectTypeOf(received).toEqualTypeOf<WebhookEvent<typeof schemas>>();
      return received.created_at;
    },
  },
});

// Recovered events have the types of live ones, and their records those of the client
declare const client: ExamClient;
for await (const recovered of recoverEvents(client.webhooks, 3, { since: new Date(), schemas })) {
  expectTypeOf(recovered.event).toEqualTypeOf<WebhookEvent<typeof schemas>>();
  expectTypeOf(recovered.delivery).toEqualTypeOf<WebhookDelivery>();
  handler.dispatch(recovered.event, { eventKey: recovered.eventKey });
  // Read again with the schemas of the handler, whatever those of the recovery made of it
  handler.dispatch(recovered);
  createWebhookHandler({ ...options, onUnknown() {} }).dispatch(recovered);
  expectTypeOf(eventKeyOf(recovered.delivery)).toEqualTypeOf<Promise<string>>();
  // @ts-expect-error: a record is no event
  handler.dispatch(recovered.delivery);
}
// @ts-expect-error: without a payload, it is no event
eventKeyOf({ event: 'exam_result.scored', created_at: '2025-03-01T08:00:00+07:00' });
// @ts-expect-error: a promise of one
isUnknownEvent(verifyWebhook(request, options));
// @ts-expect-error: without a beginning
recoverEvents(client.webhooks, 3, {});

// A secret may come from a function
verifyWebhook(request, { secret: () => 'whsec_test' });
verifyWebhook(request, { secret: async () => ['whsec_new', 'whsec_old'], secretTtl: 1000 });
// @ts-expect-error: a function that may give nothing
verifyWebhook(request, { secret: () => process.env['SECRET'] });

// The listener takes what node:http gives
expectTypeOf(toNodeListener(handler)).toBeCallableWith({} as IncomingMessage, {} as ServerResponse);

// What `onStart` returns may be a function, which gets the rest of the delivery
createWebhookHandler({
  secret: 's',
  onUnknown() {},
  hooks: [
    {
      onStart: () => (run) => {
        expectTypeOf(run).toEqualTypeOf<() => void>();
        run();
      },
    },
    { onStart: async ({ deliveryId }) => deliveryId },
  ],
});

import { expectTypeOf } from 'vitest';
import type {
  Acknowledgement,
  ApiPromise,
  CreatedWebhookEndpoint,
  EnsuredWebhook,
  Exam,
  ExamClient,
  ExamLink,
  ExamResult,
  ListOptions,
  OnEndEvent,
  Page,
  PagePromise,
  Participant,
  ParticipantImport,
  ResponseMeta,
  StandardSchema,
  TestDelivery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEventName,
} from '../../src/index.ts';
import { type ExamServiceError, isApiError } from '../../src/index.ts';

declare const client: ExamClient;
const { participants, examParticipants, exams, examResults, webhooks } = client;
const pair = { participant_id: 1, exam_id: 2 };

// What the operations give
declare const rows: ParticipantImport[];
declare const events: WebhookEventName[];
participants.import(rows.map((row) => ({ ...row, name: 'Ana' })));
participants.import([...rows]);
// @ts-expect-error no such field
participants.import([{ email: 'a@example.test', name: 'Ana', password: 'x', role: 'admin' }]);
expectTypeOf(participants.retrieve(1)).toEqualTypeOf<ApiPromise<Participant>>();
expectTypeOf(examParticipants.assign(pair)).toEqualTypeOf<ApiPromise<Acknowledgement>>();
expectTypeOf(examParticipants.unassign(pair)).toEqualTypeOf<ApiPromise<Acknowledgement>>();
expectTypeOf(examParticipants.link(pair)).toEqualTypeOf<ApiPromise<ExamLink>>();
expectTypeOf(examResults.list()).toEqualTypeOf<PagePromise<ExamResult>>();
expectTypeOf(webhooks.list()).toEqualTypeOf<ApiPromise<WebhookEndpoint[]>>();
expectTypeOf(webhooks.availableEvents()).toEqualTypeOf<ApiPromise<Record<string, string>>>();
expectTypeOf(webhooks.create({ url: 'https://a.example', events: ['exam_result.scored'] })).toEqualTypeOf<
  ApiPromise<CreatedWebhookEndpoint>
>();
expectTypeOf(
  webhooks.ensure({ url: 'https://a.example', events: ['exam_result.scored'], description: null }),
).toEqualTypeOf<Promise<EnsuredWebhook>>();
const ensured = await webhooks.ensure({ url: 'https://a.example', events: ['exam_result.scored'] });
if (ensured.created) expectTypeOf(ensured.secret).toEqualTypeOf<string>();
else expectTypeOf(ensured.secret).toEqualTypeOf<null>();
expectTypeOf(webhooks.update(1, { is_active: true })).toEqualTypeOf<ApiPromise<WebhookEndpoint>>();
expectTypeOf(webhooks.rotateSecret(1)).toEqualTypeOf<ApiPromise<CreatedWebhookEndpoint>>();
expectTypeOf(webhooks.delete(1)).toEqualTypeOf<ApiPromise<void>>();
expectTypeOf(webhooks.deliveries(1)).toEqualTypeOf<PagePromise<WebhookDelivery>>();
expectTypeOf(webhooks.test(1)).toEqualTypeOf<ApiPromise<TestDelivery>>();
expectTypeOf<Acknowledgement>().toEqualTypeOf<{
  readonly message: string | null;
  readonly data: unknown;
  readonly body: unknown;
}>();
// @ts-expect-error a new secret is asked for by rotateSecret
webhooks.update(1, { rotate_secret: true });
// @ts-expect-error a schema of a name that nothing would look at
client.withOptions({ schemas: { participants: {} as StandardSchema } });
expectTypeOf(client.withOptions({ timeout: 5_000 })).toEqualTypeOf<ExamClient>();
// @ts-expect-error did you mean baseUrl?
client.withOptions({ baseURL: 'https://a.example' });
// One set of hooks, or a list of sets
client.withOptions({ hooks: [{ onStart: ({ callId }) => callId }, { onEnd: ({ outcome }) => outcome }] });
expectTypeOf<OnEndEvent['outcome']>().toEqualTypeOf<
  'success' | 'cancelled' | 'not_sent' | 'rejected' | 'unknown' | 'done'
>();
// @ts-expect-error no such hook
client.withOptions({ hooks: { onrequest() {} } });
// @ts-expect-error not an option of a call
exams.retrieve(1, { apiKey: 'x' });
// A header of the client is left out by null and undefined alike
exams.retrieve(1, { headers: { 'X-Team': null, 'X-Trace': undefined } });

// Verdicts
declare const error: ExamServiceError;
expectTypeOf(error.outcome).toEqualTypeOf<'not_sent' | 'rejected' | 'unknown' | 'done'>();
expectTypeOf(error.retryable).toEqualTypeOf<boolean>();
if (isApiError(error)) expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | null>();

// Records: the documented id, and anything else
const exam = await exams.retrieve(1);
expectTypeOf<ExamResult['exam_result_id']>().toEqualTypeOf<unknown>();

// Pages
const page = await exams.list();
expectTypeOf(page.data[0]?.id).toEqualTypeOf<number | undefined>();
expectTypeOf(page.total).toEqualTypeOf<number | null>();
expectTypeOf(page.hasNextPage()).toEqualTypeOf<boolean>();
expectTypeOf(page.nextPage()).toEqualTypeOf<Promise<typeof page | null>>();
// @ts-expect-error the bound is mandatory
exams.list().toMap(({ id }) => id);
expectTypeOf(exams.list().withResponse()).resolves.toEqualTypeOf<{
  readonly data: Page<typeof exam>;
  readonly meta: ResponseMeta;
}>();

// An update changes something
webhooks.update(1, { events: ['exam_result.scored'], description: undefined });
webhooks.update(1, { events });
webhooks.create({ url: 'https://a.example', events });
webhooks.ensure({ url: 'https://a.example', events: ['exam_result.scored'] as const });
// @ts-expect-error no such event
webhooks.create({ url: 'https://a.example', events: ['exam_result.complete'] });
// @ts-expect-error no such event
webhooks.ensure({ url: 'https://a.example', events: ['exam_result.complete'] });
// @ts-expect-error no such event
webhooks.update(1, { events: ['exam_result.complete'] });
// @ts-expect-error no such event
webhooks.test(1, { event: 'exam_result.score' });
// @ts-expect-error no such event
webhooks.deliveries(1, { event: 'exam_result.score' });
// @ts-expect-error no such field
webhooks.create({ url: 'https://a.example', events, secret: 'x' });

// Ids are numbers
// @ts-expect-error
examParticipants.assign({ participant_id: '1', exam_id: 2 });

// @ts-expect-error a list, not the body
participants.import({ participants: [] });

// Queries
participants.list({ page: 1, limit: undefined }, { maxItems: 1 });
participants.list(undefined, { query: { search: 'sari', tags: ['a', 1], active: true, left: undefined } });
// @ts-expect-error the list has no filter
participants.list({ email: 'a@example.test' });
// @ts-expect-error page is a number
participants.list({ page: '1' });
participants.list({}, { query: new URLSearchParams({ search: 'sari' }) });
// @ts-expect-error a query is no text
participants.list({}, { query: 'search=sari' });
// @ts-expect-error a job sends several requests
participants.importAll(rows, { query: { notify: false } });
// @ts-expect-error it sends several requests
examParticipants.ensure(pair, { query: { notify: false } });

// An interface has no index signature, and is a query all the same.
interface Paging {
  page: number;
}
interface Search {
  readonly search: string;
}
declare const paging: Paging;
declare const search: Search;
exams.list(paging);
examResults.list(paging);
webhooks.deliveries(1, paging);
client.request({ method: 'GET', path: '/participants', auth: 'clientKey', query: search });
// @ts-expect-error deliveries are paged by per_page
webhooks.deliveries(1, { limit: 5 });
examResults.list({ participant_id: 1, exam_id: undefined });

// Event names that are read: the documented ones complete, others are allowed
type EventField = WebhookDelivery['event'];
expectTypeOf<WebhookEventName>().toExtend<EventField>();
expectTypeOf<string>().toExtend<EventField>();
expectTypeOf<EventField>().not.toEqualTypeOf<string>();
expectTypeOf<Extract<EventField, 'exam_result.scored'>>().toEqualTypeOf<'exam_result.scored'>();
expectTypeOf<string>().not.toExtend<WebhookEventName>();
expectTypeOf<WebhookDelivery['status']>().not.toEqualTypeOf<string>();
expectTypeOf<string>().toExtend<WebhookDelivery['status']>();
// @ts-expect-error the secret is not part of what is listed
expectTypeOf<WebhookEndpoint['secret']>().toEqualTypeOf<string>();

// Options of a call
exams.retrieve(1, { signal: AbortSignal.timeout(1), timeout: false, maxRetries: 0, validation: 'off' });
exams.list({}, { maxItems: 5, maxPages: 2 });
exams.list({}, { distinct: true });
exams.list({}, { distinct: (item) => expectTypeOf(item).toEqualTypeOf<Exam>() });
const forAnyList: ListOptions = { distinct: (item) => JSON.stringify(item), concurrency: 2 };
examResults.list({}, forAnyList);
webhooks.deliveries(1, {}, forAnyList);
// @ts-expect-error nothing or true
exams.list({}, { distinct: false });
// @ts-expect-error the key of another item
exams.list({}, { distinct: (delivery: WebhookDelivery) => delivery.id });
// @ts-expect-error not a mode
exams.retrieve(1, { validation: 'loose' });

// Custom requests
// @ts-expect-error without a schema nothing is known of the result, whatever is expected of it
export const assumed: Promise<{ name: string }> = client.request({
  method: 'GET',
  path: '/x',
  auth: 'bearer',
});
// @ts-expect-error not a method
client.request({ method: 'HEAD', path: '/x', auth: 'bearer' });
client.request({ method: 'GET', path: '/x', auth: 'bearer', query: new URLSearchParams('a=1') });
// @ts-expect-error a part that no request has
client.request({ method: 'GET', path: '/x', auth: 'bearer', params: {} });

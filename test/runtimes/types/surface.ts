// Compiled only, against the published declarations, as a module and as CommonJS: what 1.0 settles for good.
import {
  type AnyApiError,
  type AnyCallError,
  type AnyExamServiceError,
  type ApiError,
  type AssignmentResult,
  type CustomRequest,
  ExamClient,
  isApiError,
  isExamServiceError,
  type OnRetryEvent,
  type OperationName,
  type RequestOptions,
  type RequestValidationError,
  type TestDelivery,
  type WebhookDelivery,
  type WebhookEndpoint,
} from 'exam-service-sdk';
import * as proxy from 'exam-service-sdk/proxy';
import * as webhooks from 'exam-service-sdk/webhooks';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : ['not the same', A, B]): void;

declare const client: ExamClient;

type Group = 'participants' | 'examParticipants' | 'exams' | 'examResults' | 'webhooks';
type Method = { [Name in Group]: `${Name}.${Extract<keyof ExamClient[Name], string>}` }[Group];

export function operations(error: AnyCallError, event: OnRetryEvent) {
  same<OperationName, Method | 'request'>();
  same<OnRetryEvent['operation'], OperationName>();
  same<RequestValidationError['operation'], OperationName | 'eventKeyOf'>();
  same<proxy.ProxyError['operation'], OperationName>();
  type Jobs = 'participants.importAll' | 'participants.findByEmail' | 'examParticipants.assignAll';
  type Several =
    | Jobs
    | 'examParticipants.ensure'
    | 'webhooks.ensure'
    | 'webhooks.availableEvents'
    | 'request';
  same<proxy.ProxyOperationName, Exclude<OperationName, Several>>();
  if (error.code === 'timeout' && error.operation === 'exams.list') return error.timeoutMs;
  // @ts-expect-error: a name is no pattern
  return event.operation === 'exams.lists';
}

type CallCode = AnyCallError['code'];
type ApiCode = AnyApiError['code'];

/** Each of these is handed an error, and can switch on it. */
export function switches({ error: failed }: AssignmentResult, event: OnRetryEvent, error: unknown) {
  same<OnRetryEvent['error'], AnyCallError>();
  same<
    Exclude<CallCode, ApiCode | 'configuration' | 'request_validation' | 'connection' | 'timeout'>,
    'redirect' | 'response_format' | 'response_validation'
  >();
  switch (failed?.code) {
    case 'rate_limit':
      same<typeof failed.retryAfterMs, number | null>();
      break;
    default:
  }
  // @ts-expect-error: no call ends with it
  if (event.error.code === 'import_stopped') return;
  if (isApiError(error)) {
    same<typeof error, AnyApiError>();
    // @ts-expect-error: not the code of a status
    if (error.code === 'timeout') return;
  }
  if (!isExamServiceError(error)) return;
  same<typeof error, AnyExamServiceError>();
  // What is left when it is no error of a status is not narrowed away.
  if (!isApiError(error)) same<Extract<typeof error, ApiError>, never>();
  // @ts-expect-error: the guard is the main entry's
  webhooks.isExamServiceError;
  // @ts-expect-error: the guard is the main entry's
  proxy.isExamServiceError;
}

/** A second function that takes an `Error`: a React setter, `reject`, `next`. */
export function thens(failed: (error: Error) => void, reject: (reason?: unknown) => void) {
  void client.webhooks.delete(1).then(undefined, reject);
  return client.exams.retrieve(1).then(({ id }) => id, failed);
}

export async function records(endpoint: WebhookEndpoint, delivery: WebhookDelivery, queued: TestDelivery) {
  // @ts-expect-error: misspelt
  endpoint.is_disabled;
  // @ts-expect-error: misspelt
  delivery.response_status;
  // @ts-expect-error: misspelt
  queued.queue;
  same<keyof Omit<WebhookDelivery, 'payload'>, Exclude<keyof WebhookDelivery, 'payload'>>();
  same<'created_at' extends keyof Omit<WebhookDelivery, 'payload'> ? true : false, true>();
  // @ts-expect-error: read data is not written
  endpoint.is_active = false;
  // @ts-expect-error: nor an array in it
  endpoint.events.push('exam_result.scored');
  // What a method itself returns is the caller's.
  (await client.webhooks.list()).push(endpoint);
  (await client.webhooks.availableEvents())['exam_result.scored'] = 'Scored';
  const { found, missing } = await client.participants.findByEmail(['ana@example.test']);
  found.clear();
  missing.sort();
}

export function queries(): [RequestOptions, CustomRequest] {
  const query = new URLSearchParams({ search: 'ana' });
  same<RequestOptions['query'], object | undefined>();
  same<CustomRequest['query'], object | undefined>();
  return [{ query }, { method: 'GET', path: '/x', auth: 'bearer', query: { search: ['a', 'b'] } }];
}

/** `null` stands for nothing. */
export function nothing(event: webhooks.OnDeliveryEndEvent, context: webhooks.WebhookContext) {
  same<typeof event.method, string | null>();
  same<typeof event.event, string | null>();
  same<typeof event.reason, webhooks.WebhookRejectionReason | null>();
  same<typeof event.skewSeconds, number | null>();
  same<typeof event.status, number | null>();
  same<typeof context.signedAt, Date | null>();
  same<typeof context.request, Request | null>();
  same<webhooks.WebhookVerificationError['skewSeconds'], number | null>();
  same<webhooks.WebhookVerificationError['body'], Uint8Array | null>();
  same<proxy.ProxyError['status'], number | null>();
  same<proxy.ProxyError['body'], string | null>();
  type Explained = webhooks.WebhookFailureExplanation['reason'];
  same<Explained, webhooks.WebhookRejectionReason | 'configuration' | null>();
}

export const recovered: webhooks.DeliveryRecords = client.webhooks;

const service = { baseUrl: 'https://exams.example.test/api/v1', apiKey: 'key' };

export const proxies = [
  proxy.createProxyHandler({
    ...service,
    allow: ['examResults.list'],
    authorize: (request) =>
      request.headers.has('cookie') ? { query: { participant_id: 7 }, body: undefined } : null,
  }),
  // @ts-expect-error: a job has no request of its own
  proxy.createProxyHandler({ ...service, allow: ['participants.importAll'], authorize: () => false }),
];

export const quiet = new ExamClient({ logger: { debug() {}, info() {}, warn() {} } });

// @ts-expect-error: the verdict is the package's
export const made = () => new webhooks.ConfigurationError('wrong', {}, { outcome: 'done', retryable: false });

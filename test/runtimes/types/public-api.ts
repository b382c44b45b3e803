// Compiled only, against the published declarations, as a module and as CommonJS.
import {
  type Acknowledgement,
  type ApiPromise,
  type Exam,
  ExamClient,
  type ExamResult,
  isApiError,
  isExamServiceError,
  type Page,
  type PagePromise,
  type Participant,
  RateLimitError,
  type ResponseMeta,
  type StandardSchema,
} from 'exam-service-sdk';
import {
  createWebhookHandler,
  type ExamResultCompletedData,
  isUnknownEvent,
  safeVerifyWebhook,
  type UnknownWebhookEvent,
  verifyWebhook,
  type WebhookVerificationError,
} from 'exam-service-sdk/webhooks';

declare module 'exam-service-sdk/webhooks' {
  interface ExamParticipantRegisteredData {
    readonly participant_id: number;
  }
  interface ExamParticipantUnregisteredData {
    readonly participant_id: number;
  }
  interface ExamResultCompletedData {
    readonly passing_grade: number;
  }
  interface ExamResultScoredData {
    readonly exam_result_id: number;
  }
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where both types are the same; an `any` is the same as nothing else. */
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : ['not the same', A, B]): void;
// @ts-expect-error: the proof itself can fail
same<string, number>();
// @ts-expect-error: an `any` does not pass for something else
same<ReturnType<typeof JSON.parse>, unknown>();

declare const client: ExamClient;
declare const request: Request;
declare const titled: StandardSchema<{ title: string }>;
declare const dated: StandardSchema<{ at: Date }>;
const pair = { participant_id: 1, exam_id: 2 };

// @ts-expect-error: errors are made by calls alone; `new NotFoundError('…')` would lack its response
export const made = () => new RateLimitError('too many requests');
export const onePage = { list: client.participants.list, first: client.participants.list().toArray };

export function resultsOfOperations() {
  same<Awaited<ReturnType<typeof client.exams.retrieve>>, Exam>();
  same<Exam['id'], number>();
  same<Exam['name'], unknown>();
  same<ExamResult['score'], number | null | undefined>();
  const imported = client.participants.import([{ email: 'a@example.test', name: 'Ana', password: 'x' }]);
  same<typeof imported, ApiPromise<Acknowledgement>>();
  const link = client.examParticipants.link(pair);
  same<Awaited<typeof link>['url'], string>();
  const list = client.participants.list({ page: 1 }, { query: { search: 'ana' } });
  same<typeof list, PagePromise<Participant>>();
  same<Awaited<typeof list>, Page<Participant>>();
  same<Awaited<ReturnType<typeof list.toArray>>, Participant[]>();
  same<Awaited<ReturnType<typeof imported.withResponse>>['meta'], ResponseMeta>();
  same<Awaited<ReturnType<typeof imported.asResponse>>, Response>();
  const endpoint = client.webhooks.create({ url: 'https://a.test', events: ['exam_result.scored'] });
  same<Awaited<typeof endpoint>['secret'], string>();
}

export async function iteration() {
  for await (const exam of client.exams.list()) same<typeof exam, Exam>();
  for await (const page of client.exams.list().pages()) {
    same<typeof page, Page<Exam>>();
    for await (const exam of page) same<typeof exam, Exam>();
  }
  const map = client.exams.list({}, { distinct: ({ id }) => id }).toMap(({ id }) => id, { maxItems: 1 });
  same<Awaited<typeof map>, Map<number, Exam>>();
}

export async function schemasOfUsers() {
  const typed = new ExamClient({ schemas: { exam: titled, examResult: dated } });
  const exam = await typed.exams.retrieve(1);
  same<typeof exam, { title: string }>();
  for await (const result of typed.examResults.list()) same<typeof result, { at: Date }>();
  same<Awaited<ReturnType<typeof typed.participants.retrieve>>, Participant>();
  const custom = typed.request({ method: 'GET', path: '/x', auth: 'bearer', schema: dated });
  same<typeof custom, ApiPromise<{ at: Date }>>();
  const open = typed.request({ method: 'GET', path: '/x', auth: 'bearer' });
  same<typeof open, ApiPromise<unknown>>();
  // @ts-expect-error: no such record
  new ExamClient({ schemas: { exams: titled } });
  // @ts-expect-error: not a schema
  new ExamClient({ schemas: { exam: { parse: () => ({}) } } });
}

export async function parameters() {
  await client.participants.update(1, { name: 'Ana' });
  await client.participants.update(1, { password: 'x', name: undefined });
  // @ts-expect-error: at least one field
  await client.participants.update(1, {});
  // @ts-expect-error: at least one field that is there
  await client.participants.update(1, { name: undefined });
  // @ts-expect-error: the email cannot be changed
  await client.participants.update(1, { email: 'a@example.test' });
  // @ts-expect-error: every field of a row is required
  await client.participants.import([{ email: 'a@example.test', name: 'Ana' }]);
  // @ts-expect-error: both ids are required
  await client.examParticipants.assign({ participant_id: 1 });
  // @ts-expect-error: ids are numbers
  await client.exams.retrieve('1');
  // @ts-expect-error: only the documented parameters
  client.exams.list({ search: 'x' });
  // @ts-expect-error: the bound is mandatory
  client.exams.list().toArray();
  // @ts-expect-error: bounds belong to lists
  await client.exams.retrieve(1, { maxItems: 1 });
  // @ts-expect-error: the scheme decides which header carries the key
  client.request({ method: 'GET', path: '/x' });
  // @ts-expect-error: no such option
  new ExamClient({ retries: 3 });
  new ExamClient({ baseUrl: undefined, apiKey: null, timeout: false });
}

export function errors(error: unknown) {
  if (isApiError(error)) {
    same<typeof error.status, number>();
  } else if (isExamServiceError(error)) same<typeof error.message, string>();
  if (error instanceof RateLimitError) same<typeof error.code, 'rate_limit'>();
}

export async function events() {
  const event = await verifyWebhook(request, { secret: 's' });
  if (isUnknownEvent(event)) {
    same<typeof event, UnknownWebhookEvent>();
    return;
  }
  switch (event.event) {
    case 'exam_result.completed':
      same<typeof event.data, ExamResultCompletedData>();
      same<typeof event.data.score, number | null>();
      same<typeof event.data.passing_grade, number>();
      // @ts-expect-error: a misspelt field is no field
      event.data.scor;
      break;
    case 'exam_result.scored':
      same<typeof event.data.exam_result_id, number>();
      same<(typeof event.data)[string], unknown>();
      break;
    case 'exam_participant.registered':
    case 'exam_participant.unregistered':
      same<typeof event.data.participant_id, number>();
      break;
    default:
      same<typeof event, never>();
  }
}

export async function schemasOfEvents() {
  const schemas = { 'exam_result.scored': dated };
  const event = await verifyWebhook(request, { secret: ['old', 'new'], schemas });
  if (!isUnknownEvent(event) && event.event === 'exam_result.scored') {
    same<typeof event.data, { at: Date }>();
  }
  const result = await safeVerifyWebhook(request, { secret: 's', schemas });
  if (result.ok) same<typeof result.event, typeof event>();
  else same<typeof result.error, WebhookVerificationError>();
  const handler = createWebhookHandler({
    secret: 's',
    schemas,
    on: {
      'exam_result.scored': ({ data }) => same<typeof data, { at: Date }>(),
      'exam_result.completed': async ({ data }) => same<typeof data, ExamResultCompletedData>(),
    },
  });
  same<ReturnType<typeof handler>, Promise<Response>>();
  same<ReturnType<typeof handler.dispatch>, Promise<'handled' | 'duplicate' | 'busy'>>();
  await verifyWebhook(request, {});
  // @ts-expect-error: a parsed body is not a body
  await verifyWebhook({ body: { event: 'x' }, headers: {} }, { secret: 's' });
  // @ts-expect-error: no documented event has this name
  createWebhookHandler({ secret: 's', on: { 'exam_result.complete': () => {} } });
}

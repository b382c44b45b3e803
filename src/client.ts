import type { ApiPromise } from './core/api-promise.ts';
import type { ClientOptions, RequestOptions } from './core/options/client-options.ts';
import { overrideOptions, readSettings, type Settings } from './core/options/client-settings.ts';
import type { Exam, ExamResult, Participant } from './core/records.ts';
import { Resource, type Shared, type Sibling, Transport } from './core/transport.ts';
import { type CustomRequest, CustomRequests } from './resources/custom-request.ts';
import { ExamParticipants } from './resources/exam-participants.ts';
import { ExamResults } from './resources/exam-results.ts';
import { Exams } from './resources/exams.ts';
import { Participants } from './resources/participants.ts';
import { Webhooks } from './resources/webhooks.ts';

/** The types of the records that the client option `schemas` describes. */
interface Records<P, E, R> {
  readonly participant: P;
  readonly exam: E;
  readonly examResult: R;
}

/**
 * Client of the exam administration service.
 *
 * @example
 * ```ts
 * const client = new ExamClient(); // EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY
 * for await (const exam of client.exams.list()) console.log(exam.id);
 *
 * const patient = client.withOptions({ timeout: 120_000, maxRetries: 5 });
 * ```
 * @throws {ConfigurationError} when an option is invalid.
 */
export class ExamClient<P = Participant, E = Exam, R = ExamResult> extends Resource<Records<P, E, R>> {
  /** Import, read, list and update participants (`/participants`). */
  readonly participants: Participants<P>;
  /** Assign participants to exams, cancel assignments, and get exam links (`/exam-participants`). */
  readonly examParticipants: ExamParticipants;
  /** List and read exams (`/exams`). */
  readonly exams: Exams<E>;
  /** List results (`/exam-results`). */
  readonly examResults: ExamResults<R>;
  /** Manage webhook endpoints and inspect deliveries (`/webhooks`). */
  readonly webhooks: Webhooks;

  constructor(options: ClientOptions<P, E, R> = {}) {
    const settings = readSettings(options);
    const transport = new Transport<Records<P, E, R>>(settings, sharedBy(options, settings));
    super(transport);
    this.participants = new Participants(transport);
    this.examParticipants = new ExamParticipants(transport);
    this.exams = new Exams(transport);
    this.examResults = new ExamResults(transport);
    this.webhooks = new Webhooks(transport);
  }

  /**
   * Returns a client with these options merged over the ones of this client. `schemas` are merged by name; every other option
   * replaces its counterpart as a whole, including `headers` and `hooks`; `undefined` changes nothing. As long as base URL and key
   * are the same, the two clients share the rate limiter and, unless you pass another one, `maxConcurrency`. The result is always
   * an `ExamClient`: the constructor of a subclass does not run again.
   *
   * @throws {ConfigurationError} when an option is invalid.
   */
  withOptions<P2 = P, E2 = E, R2 = R>(options: ClientOptions<P2, E2, R2>): ExamClient<P2, E2, R2> {
    const { settings, shared } = this.transport.origin();
    const merged = overrideOptions(settings.given, options);
    const { concurrency: _, ...others } = shared;
    const sibling: Sibling = { settings, shared: options.maxConcurrency === undefined ? shared : others };
    return create({ ...merged, [siblingKey]: sibling });
  }

  /**
   * Calls an endpoint that has no method here, with the same authentication, deadlines and errors as the others. GET,
   * PUT and DELETE are retried like other idempotent operations, POST and PATCH only if the first request cannot have
   * taken effect. Without a `schema` the result is `unknown`.
   *
   * @example
   * ```ts
   * const schema = z.object({ data: z.array(z.looseObject({ id: z.number() })) });
   * const { data } = await client.request({ method: 'GET', path: '/exams', auth: 'clientKey', schema });
   * ```
   */
  request<Output = unknown>(
    request: CustomRequest<Output>,
    options?: RequestOptions,
  ): ApiPromise<NoInfer<Output>> {
    return new CustomRequests(this.transport).send(request, options);
  }
}

/** The option by which `withOptions` passes on the client that shares its rate limiter. */
const siblingKey = Symbol('sibling');

/** The service limits by key, so only clients of the same address and key share a limiter. */
function sharedBy(options: object, { baseUrl, apiKey }: Settings): Shared {
  const sibling: Sibling | undefined = Reflect.get(options, siblingKey);
  const isSame = sibling?.settings.baseUrl === baseUrl && sibling.settings.apiKey === apiKey;
  return isSame ? sibling.shared : { warned: sibling?.shared.warned };
}

/** Outside of the class: bundlers rename a class that refers to itself. */
function create<P, E, R>(options: object): ExamClient<P, E, R> {
  return new ExamClient<P, E, R>(options);
}

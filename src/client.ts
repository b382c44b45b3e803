import type { ApiPromise } from './core/api-promise.ts';
import { type Config, resolveConfig } from './core/config.ts';
import type { ClientOptions, RequestOptions } from './core/options.ts';
import type { KnownSchemas, RecordOf, RecordSchemas } from './core/record-schemas.ts';
import { checkObject } from './core/request/checks.ts';
import type { CustomRequest } from './core/request/custom-request.ts';
import { Transport } from './core/transport.ts';
import { ExamParticipants } from './resources/exam-participants.ts';
import { ExamResults } from './resources/exam-results.ts';
import { Exams } from './resources/exams.ts';
import { Participants } from './resources/participants.ts';
import type { Exam, ExamResult, Participant } from './resources/records.ts';
import { Webhooks } from './resources/webhooks.ts';

/**
 * Client of the exam administration service.
 *
 * @throws {ConfigurationError} when an option is invalid.
 */
export class ExamClient<const Schemas extends RecordSchemas = Record<never, never>> {
  /** Import, read, list and update participants (`/participants`). */
  readonly participants: Participants<RecordOf<Schemas, 'participant', Participant>>;
  /** Assign participants to exams, cancel assignments, and get exam links (`/exam-participants`). */
  readonly examParticipants: ExamParticipants;
  /** List and read exams (`/exams`). */
  readonly exams: Exams<RecordOf<Schemas, 'exam', Exam>>;
  /** List results (`/exam-results`). */
  readonly examResults: ExamResults<RecordOf<Schemas, 'examResult', ExamResult>>;
  /** Manage webhook endpoints and inspect deliveries (`/webhooks`). */
  readonly webhooks: Webhooks;
  readonly #config: Config;
  readonly #transport: Transport;

  constructor(options?: ClientOptions<Schemas> & KnownSchemas<Schemas>);
  /** @internal */
  constructor(options: ClientOptions<Schemas>, relative: Config);
  constructor(options: ClientOptions<Schemas> = {}, relative?: Config) {
    this.#config = resolveConfig(options, relative);
    this.#transport = new Transport(this.#config);
    this.participants = new Participants(this.#transport);
    this.examParticipants = new ExamParticipants(this.#transport);
    this.exams = new Exams(this.#transport);
    this.examResults = new ExamResults(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /**
   * Returns a client with these options merged over the ones of this client. Each option replaces its counterpart as a
   * whole, including `headers`, `hooks` and `schemas`; `undefined` changes nothing. As long as base URL and key are the
   * same, the two clients share the pause after a 429 and, if it is the same, `maxConcurrency`.
   *
   * @throws {ConfigurationError} when an option is invalid.
   */
  withOptions<const Others extends RecordSchemas = Schemas>(
    options: ClientOptions<Others> & KnownSchemas<Others>,
  ): ExamClient<Others> {
    const { given, baseUrl, apiKey } = this.#config;
    const others = Object.entries(checkObject('options', options)).filter(([, value]) => value !== undefined);
    const merged: object = { ...given, baseUrl, apiKey, ...Object.fromEntries(others) };
    return Reflect.construct(this.constructor, [merged, this.#config]);
  }

  /**
   * Calls an endpoint that has no method here, with the same authentication, deadlines and errors as the others. GET,
   * PUT and DELETE are retried like other idempotent operations, POST and PATCH only if the first request cannot have
   * taken effect.
   */
  request<Output = unknown>(request: CustomRequest<Output>, options?: RequestOptions): ApiPromise<Output> {
    return this.#transport.request(request, options);
  }
}

// Performs the operations of a client in three steps: plan the call, send it, read its answer.

import { readMeta } from './answer/meta.ts';
import { type Answer, readList, readValue } from './answer/read.ts';
import { ApiPromise, type Runner, type Settle, type WithResponse } from './api-promise.ts';
import { isExamServiceError } from './errors/base.ts';
import { ResponseFormatError } from './errors/response-error.ts';
import { Gate } from './gate.ts';
import { createNotify } from './notify.ts';
import type { ListSpec, Operation, OperationInput, OutputOf, SingleSpec } from './operation.ts';
import { layOver, readCallOptions, readListOptions } from './options/call-options.ts';
import type { ListOptions, RequestOptions } from './options/client-options.ts';
import type { Settings } from './options/settings.ts';
import { notNeeded } from './pages/iteration.ts';
import { readPageInfo } from './pages/metadata.ts';
import { PagePromise, toPage } from './pages/page.ts';
import { type FetchedPage, Step } from './pages/step.ts';
import { makePlan, type Plan, planOfRefused, planPage } from './plan.ts';
import { Progress } from './progress.ts';
import { type Sender, send } from './send.ts';
import { createWire } from './wire.ts';

/** Performs operations. `Records` are the types of the records that the client option `schemas` describes. */
export class Transport<Records = unknown> {
  readonly settings: Settings;
  #sender: Sender;
  /** Keys sent lately, to be redacted wherever they are echoed. */
  #usedKeys: Set<string>;

  constructor(settings: Settings) {
    const notify = createNotify(settings);
    const { apiKey, maxConcurrency } = settings;
    const gate = new Gate(maxConcurrency, notify.pause);
    this.settings = settings;
    this.#sender = { settings, notify, gate, wire: createWire(settings, notify) };
    this.#usedKeys = new Set(typeof apiKey === 'string' ? [apiKey] : []);
  }

  /**
   * Shares what the service limits by key with another client of the same key: the pauses, the room if both have as much,
   * and the keys used. To be called before the first call.
   */
  shareWith(other: Transport<unknown>): void {
    const gate = other.#sender.gate.withRoom(this.settings.maxConcurrency, this.#sender.notify.pause);
    this.#sender = { ...this.#sender, gate };
    this.#usedKeys = other.#usedKeys;
  }

  /** Calls an operation that returns one value. */
  call<Spec extends SingleSpec>(
    operation: Operation<Spec>,
    input: OperationInput = {},
    options?: RequestOptions,
  ): ApiPromise<OutputOf<Spec, Records>> {
    const reader = () => readValue as Reader<OutputOf<Spec, Records>>;
    return new ApiPromise(this.#begin(operation, input, options, readCallOptions, reader));
  }

  /** Calls an operation that returns a list, page by page. */
  list<Spec extends ListSpec>(
    operation: Operation<Spec>,
    input: OperationInput,
    options?: ListOptions<OutputOf<Spec, Records>>,
  ): PagePromise<OutputOf<Spec, Records>> {
    type Item = OutputOf<Spec, Records>;
    const reader = (given: ListOptions<never>) => async (answer: Answer) =>
      toPage(new Step(await this.#readPage<Item>(answer, given.signal), null), given);
    return new PagePromise(this.#begin(operation, input, options, readListOptions, reader));
  }

  /** Makes the plan of a call and announces its start. What is wrong with it is kept for whoever awaits the call. */
  #begin<T, Options extends object>(
    operation: Operation,
    input: OperationInput,
    options: RequestOptions | undefined,
    read: (given: unknown) => Options,
    readerFor: (options: Partial<Options>) => Reader<T>,
  ): Call<T> {
    const { settings } = this;
    try {
      const given = options === undefined ? {} : read(options);
      const rules = options === undefined ? settings.rules : layOver(settings.rules, given);
      return this.#announce(makePlan(settings, operation, input, rules), readerFor(given));
    } catch (error) {
      return this.#announce(planOfRefused(settings, operation), () => Promise.reject(error), { error });
    }
  }

  #announce<T>(plan: Plan, reader: Reader<T>, refusal?: { readonly error: unknown }): Call<T> {
    void this.#sender.notify.onStart?.(plan, { baseUrl: this.settings.baseUrl });
    return new Call(plan, new Progress(plan, this.#usedKeys), this.#sender, reader, refusal);
  }

  /** @param own the caller's signal; the one of a page within an iteration ends with the iteration */
  async #readPage<Item>(answer: Answer, own: AbortSignal | undefined): Promise<FetchedPage<Item>> {
    const { plan } = answer;
    const query = new URLSearchParams(plan.query);
    const size = query.get('limit') ?? query.get('per_page');
    const { levels, ...read } = await readList<Item>(answer);
    return {
      ...read,
      info: readPageInfo(levels),
      number: Number(query.get('page') ?? 1),
      size: size === null ? null : Number(size),
      load: async (page, signal = own) => {
        const reader: Reader<FetchedPage<Item>> = (next) => this.#readPage(next, own);
        return (await this.#announce(planPage(plan, page, signal), reader).read()).data;
      },
      fail: (problem, retryable) =>
        new ResponseFormatError(
          answer.progress.facts,
          answer,
          problem,
          'done',
          retryable === undefined ? {} : { retryable },
        ),
    };
  }
}

/** Reads an answer into the value that the caller gets. */
type Reader<T> = (answer: Answer) => Promise<T>;

/** A call that was made; `refusal` if it was not accepted. */
class Call<T> implements Runner<T> {
  readonly #plan: Plan;
  readonly #progress: Progress;
  readonly #sender: Sender;
  readonly #reader: Reader<T>;
  #refusal: { readonly error: unknown } | undefined;

  constructor(
    plan: Plan,
    progress: Progress,
    sender: Sender,
    reader: Reader<T>,
    refusal: { readonly error: unknown } | undefined,
  ) {
    this.#plan = plan;
    this.#progress = progress;
    this.#sender = sender;
    this.#reader = reader;
    this.#refusal = refusal;
  }

  /** Sends the call, reads its answer and announces its end. */
  async read(settle?: Settle): Promise<WithResponse<T>> {
    const plan = this.#plan;
    const progress = this.#progress;
    const { notify } = this.#sender;
    try {
      if (this.#refusal !== undefined) throw this.#refusal.error;
      const { response, body } = await send(plan, progress, this.#sender, false);
      const { status, statusText, headers } = response;
      const data = await this.#reader({ plan, progress, notify, status, statusText, headers, body });
      notify.onEnd?.(plan, successOf(progress));
      settle?.fulfil(data);
      return {
        data,
        // Read only on demand, because most callers want the data alone.
        get response() {
          return readMeta(progress, response);
        },
      };
    } catch (error) {
      notify.onEnd?.(plan, failureOf(progress, error));
      settle?.fail(error);
      throw error;
    }
  }

  /** Sends the call and announces its end when the response has come. */
  async raw(): Promise<Response> {
    const plan = this.#plan;
    const progress = this.#progress;
    const { notify } = this.#sender;
    try {
      if (this.#refusal !== undefined) throw this.#refusal.error;
      const { response } = await send(plan, progress, this.#sender, true);
      notify.onEnd?.(plan, successOf(progress));
      return response;
    } catch (error) {
      notify.onEnd?.(plan, failureOf(progress, error));
      throw error;
    }
  }

  /** Fails the call before anything is sent. */
  refuse(error: Error): Promise<never> {
    this.#refusal = { error };
    return this.read() as Promise<never>;
  }
}

/** What hooks are told of the end of a call. */
function successOf({ attempts, status, age }: Progress) {
  return {
    outcome: 'success',
    error: null,
    retryable: false,
    attempts,
    status,
    durationMs: age,
  } as const;
}

function failureOf(progress: Progress, error: unknown) {
  const told = successOf(progress);
  if (error === notNeeded) return { ...told, outcome: 'cancelled' } as const;
  // An abort has no verdict of its own.
  const { outcome, retryable } = isExamServiceError(error) ? error : progress.verdict;
  return { ...told, outcome, error, retryable };
}

/** Base class of the endpoint groups of a client. */
export abstract class Resource<Records = unknown> {
  /** @internal */
  protected readonly transport: Transport<Records>;

  /** @internal Made by the client. */
  constructor(transport: Transport<Records>) {
    this.transport = transport;
    // Keeps internals out of the printed client.
    Object.defineProperty(this, 'transport', { enumerable: false });
  }
}

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
import { type Sender, send, sendForResponse } from './send.ts';
import { createWire } from './wire.ts';

/** A call that was made, and how far it has come; `refusal` if it was not accepted. */
interface Call {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly refusal?: { readonly error: unknown };
}

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
    const { rules } = this.settings;
    const call = this.#begin(operation, input, () =>
      options === undefined ? rules : layOver(rules, readCallOptions(options)),
    );
    return new ApiPromise(
      this.#runner(call, readValue as (answer: Answer) => Promise<OutputOf<Spec, Records>>),
    );
  }

  /** Calls an operation that returns a list, page by page. */
  list<Spec extends ListSpec>(
    operation: Operation<Spec>,
    input: OperationInput,
    options?: ListOptions<OutputOf<Spec, Records>>,
  ): PagePromise<OutputOf<Spec, Records>> {
    type Item = OutputOf<Spec, Records>;
    let read: ListOptions<never> = {};
    const call = this.#begin(operation, input, () => {
      if (options === undefined) return this.settings.rules;
      const given = readListOptions(options);
      read = given as ListOptions<never>;
      return layOver(this.settings.rules, given);
    });
    return new PagePromise(
      this.#runner(call, async (answer) => {
        const page = await this.#readPage<Item>(answer, answer.plan.rules.signal);
        return toPage(new Step(page, null), read);
      }),
    );
  }

  /** Makes the plan of a call and announces its start. What is wrong with it is kept for whoever awaits the call. */
  #begin(operation: Operation, input: OperationInput, readRules: () => Settings['rules']): Call {
    try {
      return this.#announce(makePlan(this.settings, operation, input, readRules()));
    } catch (error) {
      const plan = planOfRefused(this.settings, operation);
      return { ...this.#announce(plan), refusal: { error } };
    }
  }

  #announce(plan: Plan): Call {
    void this.#sender.notify.onStart?.(plan, { baseUrl: this.settings.baseUrl });
    return { plan, progress: new Progress(plan, this.#usedKeys) };
  }

  #runner<T>(call: Call, read: (answer: Answer) => Promise<T>): Runner<T> {
    return {
      read: (settle) => this.#read(call, read, settle),
      raw: () => this.#raw(call),
      refuse: (error) => this.#raw({ ...call, refusal: { error } }) as Promise<never>,
    };
  }

  /** Sends a call, reads its answer and announces its end. */
  async #read<T>(
    { plan, progress, refusal }: Call,
    read: (answer: Answer) => Promise<T>,
    settle?: Settle,
  ): Promise<WithResponse<T>> {
    const { notify } = this.#sender;
    try {
      if (refusal !== undefined) throw refusal.error;
      const { response, body } = await send(plan, progress, this.#sender);
      const { status, statusText, headers } = response;
      const { facts } = progress;
      const data = await read({ plan, facts, notify, status, statusText, headers, body });
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

  /** Sends a call and announces its end when the response has come. */
  async #raw({ plan, progress, refusal }: Call): Promise<Response> {
    const { notify } = this.#sender;
    try {
      if (refusal !== undefined) throw refusal.error;
      const response = await sendForResponse(plan, progress, this.#sender);
      notify.onEnd?.(plan, successOf(progress));
      return response;
    } catch (error) {
      notify.onEnd?.(plan, failureOf(progress, error));
      throw error;
    }
  }

  /** @param own the caller's signal; the one of a page within an iteration ends with the iteration */
  async #readPage<Item>(answer: Answer, own: AbortSignal | undefined): Promise<FetchedPage<Item>> {
    const { plan, facts } = answer;
    const query = new URLSearchParams(plan.query);
    const size = query.get('limit') ?? query.get('per_page');
    const { levels, ...read } = await readList<Item>(answer);
    return {
      ...read,
      info: readPageInfo(levels),
      number: Number(query.get('page') ?? 1),
      size: size === null ? null : Number(size),
      load: async (page, signal = own) => {
        const call = this.#announce(planPage(plan, page, signal));
        return (await this.#read(call, (next) => this.#readPage<Item>(next, own))).data;
      },
      fail: (problem, retryable) =>
        new ResponseFormatError(facts, answer, problem, 'done', retryable === undefined ? {} : { retryable }),
    };
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

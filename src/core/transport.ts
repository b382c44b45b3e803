// Performs the operations of a client: makes the plan of a call, sends it, and reads its response.

import { ApiPromise, type ReadableCall, type RejectedCall } from './api-promise.ts';
import { Call, type ClientContext } from './call.ts';
import { createEmitter } from './hook-emitter.ts';
import type { Log } from './log.ts';
import type { ListSpec, Operation, OperationInput, OutputOf, SingleSpec } from './operation.ts';
import { readCallOptions } from './options/call-options.ts';
import type { ListOptions, RequestOptions } from './options/client-options.ts';
import type { Settings } from './options/client-settings.ts';
import { PagePromise, readFirstPage } from './pages/page.ts';
import { makePlan } from './plan.ts';
import { Concurrency, RateLimiter } from './rate-limiter.ts';
import { type Reader, readValue } from './response/read.ts';
import { createWire } from './wire.ts';

/** What a client shares with those that `withOptions` makes of it. */
export interface Shared {
  /** Of one address and key. */
  readonly limiter?: RateLimiter;
  readonly concurrency?: Concurrency;
  /** The operations whose deprecation the log has reported. */
  readonly warned?: Set<string> | undefined;
}

/** The client that `withOptions` makes another one of. */
export interface Sibling {
  readonly settings: Settings;
  readonly shared: Shared;
}

/** Performs operations. `Records` are the types of the records that the client option `schemas` describes. */
export class Transport<Records = unknown> {
  readonly #shared: Shared;
  readonly #context: ClientContext;

  constructor(settings: Settings, shared: Shared = {}) {
    const { limiter = new RateLimiter(), concurrency, warned = new Set() } = shared;
    const emit = createEmitter(settings, warned);
    const own = { limiter, concurrency: concurrency ?? new Concurrency(settings.maxConcurrency) };
    this.#context = { settings, emit, wire: createWire(settings, emit), ...own };
    this.#shared = { ...own, warned };
    // Vue and MobX leave what is frozen alone.
    Object.freeze(this);
  }

  /** What `withOptions` makes another client of. A method, since a console may be told to print what getters give: the key is in it. */
  origin(): Sibling {
    return { settings: this.#context.settings, shared: this.#shared };
  }

  /** How many requests of the client may be in flight at once. */
  get maxConcurrency(): number {
    return this.#context.concurrency.max;
  }

  /** Writes a line to the log. */
  get write(): Log {
    return this.#context.emit.log;
  }

  /** Calls an operation that returns one value. */
  call<Spec extends SingleSpec>(
    operation: Operation<Spec>,
    input: OperationInput = {},
    options?: RequestOptions,
  ): ApiPromise<OutputOf<Spec, Records>> {
    const reader = readValue as Reader<OutputOf<Spec, Records>>;
    return new ApiPromise(this.#make(operation, input, options, reader));
  }

  /** Calls an operation that returns a list, page by page. */
  list<Spec extends ListSpec>(
    operation: Operation<Spec>,
    input: OperationInput,
    options?: ListOptions<OutputOf<Spec, Records>>,
  ): PagePromise<OutputOf<Spec, Records>> {
    const reader = readFirstPage<OutputOf<Spec, Records>>;
    return new PagePromise(this.#make(operation, input, options, reader));
  }

  /** Reads the arguments. An invalid argument rejects the call, and does not throw here. */
  #make<T>(
    operation: Operation,
    input: OperationInput,
    options: RequestOptions | undefined,
    reader: Reader<T>,
  ): ReadableCall<T> | RejectedCall {
    const context = this.#context;
    try {
      const given = options === undefined ? {} : readCallOptions(options, operation);
      const plan = makePlan(context.settings, operation, input, given);
      return { call: new Call(plan, context), reader };
    } catch (error) {
      return { error };
    }
  }
}

/** The key of what a client and its endpoint groups hold. */
const held: unique symbol = Symbol('transport');

/**
 * Base class of a client and its endpoint groups. They hold the transport alone, hidden, and not in a `#` field: a proxy around them, such
 * as those of Vue and MobX, has none.
 */
export abstract class Resource<Records = unknown> {
  /** @internal */
  declare private readonly [held]: Transport<Records>;

  /** @internal Made by the client. */
  constructor(transport: Transport<Records>) {
    Object.defineProperty(this, held, { value: transport });
  }

  /** @internal */
  protected get transport(): Transport<Records> {
    return this[held];
  }
}

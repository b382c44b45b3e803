// Performs the operations of a client in three steps: plan the call, send it, read its answer.

import { ApiPromise } from './api-promise.ts';
import { Gate } from './gate.ts';
import { createNotify } from './notify.ts';
import type { ListSpec, Operation, OperationInput, OutputOf, SingleSpec } from './operation.ts';
import { readCallOptions } from './options/call-options.ts';
import type { ListOptions, RequestOptions } from './options/client-options.ts';
import type { Settings } from './options/settings.ts';
import { PagePromise, readFirstPage } from './pages/page.ts';
import { makePlan, planOfRefused } from './plan.ts';
import { readValue } from './response/read.ts';
import { Call, type Reader, type Sender } from './send.ts';
import { createWire } from './wire.ts';

/** Performs operations. `Records` are the types of the records that the client option `schemas` describes. */
export class Transport<Records = unknown> {
  #sender: Sender;

  constructor(settings: Settings) {
    const notify = createNotify(settings, () => this.#sender.usedKeys);
    const { apiKey, maxConcurrency } = settings;
    this.#sender = {
      settings,
      notify,
      gate: new Gate(maxConcurrency, notify.pause),
      wire: createWire(settings, notify),
      usedKeys: new Set(typeof apiKey === 'string' ? [apiKey] : []),
    };
  }

  /**
   * Shares what the service limits by key with another client of the same key: the pauses, the room if both have as much,
   * and the keys used. To be called before the first call.
   */
  shareWith(other: Transport<unknown>): void {
    const { gate, usedKeys } = other.#sender;
    const { settings, notify } = this.#sender;
    this.#sender = { ...this.#sender, gate: gate.withRoom(settings.maxConcurrency, notify.pause), usedKeys };
  }

  /** Calls an operation that returns one value. */
  call<Spec extends SingleSpec>(
    operation: Operation<Spec>,
    input: OperationInput = {},
    options?: RequestOptions,
  ): ApiPromise<OutputOf<Spec, Records>> {
    const reader = readValue as Reader<OutputOf<Spec, Records>>;
    return new ApiPromise(this.#begin(operation, input, options, reader));
  }

  /** Calls an operation that returns a list, page by page. */
  list<Spec extends ListSpec>(
    operation: Operation<Spec>,
    input: OperationInput,
    options?: ListOptions<OutputOf<Spec, Records>>,
  ): PagePromise<OutputOf<Spec, Records>> {
    const reader = readFirstPage<OutputOf<Spec, Records>>;
    return new PagePromise(this.#begin(operation, input, options, reader));
  }

  /** Makes the plan of a call. What is wrong with it is kept for whoever awaits the call. */
  #begin<T>(
    operation: Operation,
    input: OperationInput,
    options: RequestOptions | undefined,
    reader: Reader<T>,
  ): Call<T> {
    const { settings } = this.#sender;
    try {
      const given = options === undefined ? {} : readCallOptions(options, operation);
      return new Call(makePlan(settings, operation, input, given), this.#sender, reader);
    } catch (error) {
      return new Call(planOfRefused(settings, operation), this.#sender, reader, { error });
    }
  }
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

import type { Answer } from './answer/answer.ts';
import { readMeta } from './answer/meta.ts';
import { readList, readValue } from './answer/read.ts';
import { ApiPromise, type Runner } from './api-promise.ts';
import { send, sendForResponse } from './attempt/send.ts';
import { Call, type RequestParts } from './call.ts';
import type { Config } from './config.ts';
import type { ListSpec, Operation, OperationInput, SingleSpec } from './operation.ts';
import type { ListOptions, RequestOptions } from './options.ts';
import { Page } from './pages/page.ts';
import { PagePromise } from './pages/page-promise.ts';
import { type FetchedPage, Step } from './pages/step.ts';
import { readOptions } from './request/call-options.ts';
import { type CustomRequest, prepareCustom, readRequest } from './request/custom-request.ts';
import { prepare } from './request/prepare.ts';

/** Performs operations in three steps: prepare the call, send it, read the answer. */
export class Transport {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Calls an operation that returns one value. */
  call<Output>(
    operation: Operation<SingleSpec>,
    input: OperationInput = {},
    options?: RequestOptions,
  ): ApiPromise<Output> {
    const prepareCall = () => prepare(this.#config, operation, input, options && readOptions(options));
    return new ApiPromise(this.#runner(operation, prepareCall, readValue<Output>));
  }

  /** Calls an endpoint that has no operation. */
  request<Output>(request: CustomRequest<Output>, options?: RequestOptions): ApiPromise<Output> {
    const read = readRequest(request);
    const prepareCall = () => prepareCustom(this.#config, read, options && readOptions(options));
    return new ApiPromise(this.#runner(read.operation, prepareCall, readValue<Output>));
  }

  /** Calls an operation that returns a list, page by page. */
  list<Item>(
    operation: Operation<ListSpec>,
    input: OperationInput,
    options?: ListOptions<Item>,
  ): PagePromise<Item> {
    const readPage = async (answer: Answer): Promise<FetchedPage<Item>> => ({
      answer,
      ...(await readList<Item>(answer)),
      load: (call) => this.#begin(operation, () => call)(async () => readPage(await send(call))),
    });
    const given = options && readOptions(options);
    const readFirst = async (answer: Answer) =>
      new Page(new Step(await readPage(answer), null), Object(given));
    const prepareCall = () => prepare(this.#config, operation, input, given);
    return new PagePromise(this.#runner(operation, prepareCall, readFirst));
  }

  /** Prepares a call at once and returns how to run it; throws if anything is wrong. */
  #runner<T>(operation: Operation, prepareCall: () => Call, read: (answer: Answer) => Promise<T>): Runner<T> {
    const perform = this.#begin(operation, prepareCall);
    return {
      read: () =>
        perform(async (call) => {
          const answer = await send(call);
          return {
            data: await read(answer),
            // Read only on demand, because most callers want the data alone.
            get response() {
              return readMeta(answer);
            },
          };
        }),
      raw: () => perform(sendForResponse),
      refuse: (error) => perform(() => Promise.reject(error)),
    };
  }

  /** Prepares a call and announces its start. The returned function runs it once and announces its end. */
  #begin(operation: Operation, prepareCall: () => Call): <T>(work: (call: Call) => Promise<T>) => Promise<T> {
    const { observer, rules } = this.#config;
    let call: Call;
    let refusal: { readonly error: unknown } | undefined;
    try {
      call = prepareCall();
    } catch (error) {
      refusal = { error };
      call = new Call(this.#config, operation, nothing, { signal: undefined, ...rules });
    }
    observer.start(call);
    return async (work) => {
      try {
        if (refusal !== undefined) throw refusal.error;
        const result = await work(call);
        observer.end(call);
        return result;
      } catch (error) {
        observer.end(call, { error });
        throw error;
      }
    };
  }
}

/** The request parts of a rejected call. */
const nothing: RequestParts = { path: {}, query: {}, body: undefined };

import type { ListSpec, SingleSpec } from './answer/find.ts';
import { type Reading, readList, readSingle } from './answer/read.ts';
import { ApiPromise, type RateLimit, type ResponseMeta, type Runner } from './api-promise.ts';
import { Call } from './attempt/call.ts';
import { type CallConfig, type Config, resolveCall } from './config.ts';
import { isExamServiceError } from './errors/base.ts';
import { type ResponseContext, readRequestId } from './errors/response-error.ts';
import { ResponseFormatError } from './errors/response-format-error.ts';
import type { Operation, OperationInput } from './operation.ts';
import type { ListOptions, RequestOptions } from './options.ts';
import { type FetchedPage, type FetchPage, Page } from './pages/page.ts';
import { PagePromise } from './pages/page-promise.ts';
import { redactHeaders } from './redact.ts';
import { prepareRequest } from './request/prepare.ts';

/** Performs operations: checks their input, sends them by the rules of the client, reads their answers. */
export class Transport {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Calls an operation that answers with one value. */
  call<Output>(
    operation: Operation<SingleSpec>,
    input: OperationInput = {},
    options: RequestOptions = {},
  ): ApiPromise<Output> {
    return new ApiPromise(
      this.#runner(operation, input, options, (reading) => readSingle<Output>(operation.response, reading)),
    );
  }

  /** Calls an operation that answers with a list, page by page. */
  list<Item>(
    operation: Operation<ListSpec>,
    input: OperationInput & { readonly query: ListQuery },
    options: ListOptions = {},
  ): PagePromise<Item> {
    // Input that is no object is refused when the request is made; here it only must not break.
    const { page: first = 1, limit, per_page: perPage } = { ...input.query };
    const fetch: FetchPage<Item> = async (page, signal) => (await pageAt(page, signal).read()).data;
    const pageAt = (page: number, signal = options.signal): Runner<FetchedPage<Item>> => {
      const query = page === first ? input.query : { ...input.query, page };
      return this.#runner(operation, { ...input, query }, { ...options, signal }, async (reading) => ({
        page,
        ...(await readList<Item>(operation.response, reading)),
        requestedSize: limit ?? perPage ?? null,
        fetch,
        fail: (problem) => new ResponseFormatError(reading.context, problem),
      }));
    };
    const { read, raw } = pageAt(first);
    const readPage = async () => {
      const answer = await read();
      const { data } = answer;
      return {
        data: new Page(data, first === 1 ? data.items.length : null),
        get response() {
          return answer.response;
        },
      };
    };
    return new PagePromise({ read: readPage, raw }, options);
  }

  #runner<T>(
    operation: Operation,
    input: OperationInput,
    options: ListOptions,
    read: (reading: Reading) => Promise<T>,
  ): Runner<T> {
    const { schemas, observer } = this.#config;
    return {
      read: () =>
        this.#perform(operation, input, options, (call, { validation }) =>
          call.read(async (response, context) => ({
            data: await read({ context, validation, schemas, observer }),
            // Read only when asked for, because most callers want the data alone.
            get response() {
              return readMeta(response, context);
            },
          })),
        ),
      raw: () => this.#perform(operation, input, options, (call) => call.raw()),
    };
  }

  async #perform<T>(
    operation: Operation,
    input: OperationInput,
    options: ListOptions,
    run: (call: Call, callConfig: CallConfig) => Promise<T>,
  ): Promise<T> {
    try {
      const callConfig = resolveCall(this.#config, options);
      const request = await prepareRequest(operation, input);
      return await run(new Call(this.#config, operation, request, callConfig), callConfig);
    } catch (error) {
      if (isExamServiceError(error)) this.#config.observer.failure(error);
      throw error;
    }
  }
}

/** What the list operations have in common in their queries. */
export interface ListQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly per_page?: number | undefined;
}

function readMeta(response: Response, context: ResponseContext): ResponseMeta {
  const headers = redactHeaders(response.headers, context.redact);
  return {
    status: response.status,
    headers,
    url: response.url,
    requestId: readRequestId(headers),
    attempts: context.attempts,
    rateLimit: readRateLimit(headers),
  };
}

function readRateLimit(headers: Headers): RateLimit | null {
  const read = (name: string) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    return value !== null && /^\d+$/.test(value) ? Number(value) : null;
  };
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  if (limit === null && remaining === null && reset === null) return null;
  return { limit, remaining, resetAt: reset === null ? null : toDate(reset) };
}

/** Some services send the time itself, in Unix seconds, others the seconds until then. */
function toDate(reset: number): Date {
  const isTimestamp = reset > 1_000_000_000;
  return new Date((isTimestamp ? reset : Date.now() / 1_000 + reset) * 1_000);
}

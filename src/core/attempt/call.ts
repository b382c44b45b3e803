import ky, { NetworkError } from 'ky';
import { readErrorBody } from '../answer/error-body.ts';
import type { CallConfig, Config } from '../config.ts';
import { ApiError } from '../errors/api-error.ts';
import { ExamServiceError } from '../errors/base.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { RedirectError } from '../errors/redirect-error.ts';
import type { RequestContext } from '../errors/request-error.ts';
import type { ResponseContext } from '../errors/response-error.ts';
import { createApiError, RateLimitError } from '../errors/status-errors.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import type { Operation } from '../operation.ts';
import { createRedact, type Redact, rememberKey } from '../redact.ts';
import type { PreparedRequest } from '../request/prepare.ts';
import { resolveApiKey, withCredential } from './auth.ts';
import { backoff, isRetryable, parseRetryAfter } from './retry.ts';
import { wait, withDeadline } from './time.ts';

/** An error body is read up to here, in bytes: a service in trouble may send any amount. */
const errorBodyLimit = 64 * 1024;

/** One call of an operation: its attempts, the waits between them and its deadlines. */
export class Call {
  readonly #config: Config;
  readonly #operation: Operation;
  readonly #request: PreparedRequest;
  readonly #options: CallConfig;
  readonly #secrets: Set<string>;
  readonly #redact: Redact;
  #attempts = 0;

  constructor(config: Config, operation: Operation, request: PreparedRequest, options: CallConfig) {
    this.#config = config;
    this.#operation = operation;
    this.#request = request;
    this.#options = options;
    this.#secrets = new Set([...config.usedKeys, ...request.passwords]);
    this.#redact = createRedact(this.#secrets);
  }

  /** Sends the request, again where that is allowed, and gives what `read` makes of the successful answer. */
  async read<T>(read: (response: Response, context: ResponseContext) => Promise<T>): Promise<T> {
    return this.#run(async (response) => {
      const body = await this.#receive(response.text());
      return read(response, this.#responseContext(response, body));
    });
  }

  /** The same, up to the platform's response, whose body the caller reads; only an abort still bounds that. */
  async raw(): Promise<Response> {
    return this.#run(async (response) => response, this.#options.signal);
  }

  async #run<T>(consume: (response: Response) => Promise<T>, bodySignal?: AbortSignal): Promise<T> {
    const { signal, totalTimeout } = this.#options;
    const { gate, observer } = this.#config;
    const startedAt = Date.now();
    const attemptAll = async (total: AbortSignal | undefined): Promise<T> => {
      for (;;) {
        try {
          return await gate.pass(total, () => this.#attempt(total, consume, bodySignal));
        } catch (error) {
          if (error instanceof RateLimitError) gate.pause(error.retryAfter);
          const delayMs = total?.aborted ? null : this.#planRetry(error);
          if (delayMs === null || !(error instanceof ExamServiceError)) throw error;
          if (totalTimeout !== false && Date.now() - startedAt + delayMs >= totalTimeout) {
            throw this.#timeout('total', totalTimeout, error);
          }
          observer.retry({ ...this.#event(), error, delayMs });
          await wait(delayMs, total);
        }
      }
    };
    return withDeadline(signal, attemptAll, totalTimeout, () => this.#timeout('total', totalTimeout));
  }

  #attempt<T>(
    total: AbortSignal | undefined,
    consume: (response: Response) => Promise<T>,
    bodySignal: AbortSignal | undefined,
  ): Promise<T> {
    this.#attempts += 1;
    const { timeout } = this.#options;
    const attempt = async (signal: AbortSignal | undefined): Promise<T> => {
      const response = await this.#send(signal, bodySignal);
      await this.#refuseFailure(response);
      return consume(response);
    };
    return withDeadline(total, attempt, timeout, () => this.#timeout('attempt', timeout));
  }

  async #send(signal: AbortSignal | undefined, bodySignal: AbortSignal | undefined): Promise<Response> {
    const config = this.#config;
    const event = this.#event();
    const { method, auth } = this.#operation;
    const { body } = this.#request;
    const key = await resolveApiKey(config.apiKey, this.#redact);
    signal?.throwIfAborted();
    if (key !== null) this.#hide(key);
    const headers = config.observer.request(event, auth, {
      ...this.#options.headers,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    });
    signal?.throwIfAborted();
    // The deadline ends with the attempt; a body that is read later follows the caller's own signal.
    const fetchSignal = signal && bodySignal ? AbortSignal.any([signal, bodySignal]) : signal;
    const sentAt = performance.now();
    const response = await this.#receive(
      ky(event.url, {
        method,
        headers: withCredential(headers, auth, key),
        redirect: 'manual',
        // Retries, deadlines and errors follow the rules of the operation, which ky does not know. The build leaves out
        // of ky what these options cannot reach (scripts/build).
        retry: 0,
        timeout: false,
        throwHttpErrors: false,
        // Node forgets the signal of a request that is collected as garbage while its body arrives.
        fetch: (sent, init) =>
          config.fetch(sent as Request, fetchSignal ? { ...init, signal: fetchSignal } : init),
        ...(fetchSignal && { signal: fetchSignal }),
        ...(body !== undefined && { body }),
      }),
    );
    signal?.throwIfAborted();
    config.observer.response(event, response, performance.now() - sentAt, this.#redact);
    return response;
  }

  /** Waits for something that comes over the network. */
  async #receive<T>(arrival: Promise<T>): Promise<T> {
    try {
      return await arrival;
    } catch (error) {
      throw new ConnectionError(this.#context(), error instanceof NetworkError ? error.cause : error);
    }
  }

  /** Throws for every answer that is not a success. */
  async #refuseFailure(response: Response): Promise<void> {
    if (isRedirect(response)) {
      discard(response);
      throw new RedirectError(this.#responseContext(response, ''), readLocation(response, this.#event().url));
    }
    if (response.ok) return;
    const body = await readCapped(response, errorBodyLimit);
    throw createApiError(
      this.#responseContext(response, body),
      readErrorBody(body),
      response.statusText,
      parseRetryAfter(response.headers),
    );
  }

  /** The wait before the next attempt in milliseconds; `null` when there is to be none. */
  #planRetry(error: unknown): number | null {
    const { retry } = this.#operation;
    if (this.#attempts > this.#options.maxRetries || !isRetryable(error, retry)) return null;
    const retryAfter = error instanceof ApiError ? parseRetryAfter(error.headers) : null;
    if (retryAfter === null) return backoff(this.#attempts);
    return retryAfter > this.#config.maxRetryAfter ? null : retryAfter;
  }

  #hide(key: string): void {
    if (this.#secrets.has(key)) return;
    this.#secrets.add(key);
    rememberKey(this.#config.usedKeys, key);
  }

  #timeout(scope: 'attempt' | 'total', limit: number | false, cause?: unknown): TimeoutError {
    return new TimeoutError(this.#context(), scope, Number(limit), cause);
  }

  #event() {
    const { id, method } = this.#operation;
    const url = this.#config.baseUrl + this.#request.target;
    return { operation: id, method, url, attempt: this.#attempts };
  }

  #context(): RequestContext {
    const { id, method } = this.#operation;
    const { path } = this.#request;
    return { operation: id, method, path, attempts: this.#attempts, redact: this.#redact };
  }

  #responseContext(response: Response, body: string): ResponseContext {
    return { ...this.#context(), status: response.status, headers: response.headers, body };
  }
}

/** A browser shows a redirect that was not followed as an opaque response; a custom fetch may have followed it. */
function isRedirect(response: Response): boolean {
  const isRedirection = response.status >= 300 && response.status < 400 && response.status !== 304;
  return isRedirection || response.type === 'opaqueredirect' || response.redirected;
}

/** Where a redirect points to, without what may be secret in a URL: credentials, query and fragment. */
function readLocation(response: Response, requested: string): string | null {
  const location = response.redirected ? response.url : response.headers.get('location');
  if (location === null) return null;
  try {
    const { origin, pathname } = new URL(location, requested);
    return origin === 'null' ? null : origin + pathname;
  } catch {
    return null;
  }
}

/** Frees the connection of a response that is not read. */
function discard(response: Response): void {
  // Whether the rest could be cancelled makes no difference to anybody.
  response.body?.cancel().catch(() => {});
}

async function readCapped(response: Response, limit: number): Promise<string> {
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; size < limit; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, limit - size), { stream: true });
      size += value.byteLength;
    }
  } catch {
    // A connection that breaks here takes the rest of an explanation; the status that came is what counts.
  }
  reader.cancel().catch(() => {});
  return text;
}

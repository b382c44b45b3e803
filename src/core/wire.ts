// One attempt of a call through ky: adds headers and key, sends the request and returns its response.

import ky, { isNetworkError } from 'ky';
import { tagOf } from '../util/json.ts';
import { ConfigurationError, isExamServiceError } from './errors/base.ts';
import { ConnectionError, conclude } from './errors/request-error.ts';
import type { Notify } from './notify.ts';
import { askForKey } from './options/address-and-key.ts';
import { credentialHeaders } from './options/call-options.ts';
import type { Fetch, FetchResponse } from './options/fetch-types.ts';
import type { Settings } from './options/settings.ts';
import type { Plan } from './plan.ts';
import type { Progress } from './progress.ts';
import { redactHeaders } from './secrets.ts';

/** Hooks may delay an attempt by at most half of this. */
const LONGEST_HOOK_MS = 10_000;

/** An attempt on its way through ky. */
interface Attempt {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Sends the request of a plan once; its response may have any status.
 *
 * @throws {ConnectionError} when no response arrives
 * @throws {ConfigurationError} when there is no key to send, or `fetch` gives no response
 */
export type Wire = (attempt: Attempt) => Promise<Response>;

/** Sets ky up for a client. Retries, deadlines and errors follow the rules of the operation, which ky does not know. */
export function createWire({ baseUrl, apiKey, fetch }: Settings, notify: Notify): Wire {
  /** ky passes a request on, and not the call that it belongs to. */
  const attempts = new WeakMap<Request, Attempt>();
  const http = ky.create({
    prefix: baseUrl,
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    hooks: {
      beforeRequest: [
        async ({ request, options }) => {
          const attempt = options.context['attempt'] as Attempt;
          attempts.set(request, attempt);
          await authorize(attempt, request.headers);
        },
      ],
    },
    async fetch(input) {
      const request = input as Request;
      const { plan, progress, signal } = attempts.get(request) as Attempt;
      signal.throwIfAborted();
      progress.leave();
      // Looked up now, so that a replaced global fetch (a mock, a tracer) is used; and not called as a method, since a
      // browser's fetch rejects a foreign `this`. It gets the address and plain options: the fetch of undici or node-fetch
      // does not understand a Request of the platform.
      const send: Fetch = fetch ?? globalThis.fetch;
      const response = await send(request.url, {
        ...plan.rules.fetchOptions,
        method: plan.operation.method,
        headers: Object.fromEntries(request.headers),
        ...(plan.body !== undefined && { body: plan.body }),
        redirect: 'manual',
        signal,
      });
      assertResponse(response, progress);
      return response;
    },
  });

  async function authorize({ plan, progress, signal }: Attempt, headers: Headers): Promise<void> {
    const { operation, rules } = plan;
    const askedAt = performance.now();
    const key = typeof apiKey === 'function' ? await askForKey(apiKey, progress.facts) : apiKey;
    if (key !== null) progress.addKey(key);
    signal.throwIfAborted();
    if (notify.onRequest !== undefined) {
      const left = Math.min(
        (rules.timeout || LONGEST_HOOK_MS) + askedAt - performance.now(),
        progress.endsAt - performance.now(),
        LONGEST_HOOK_MS,
      );
      await notify.onRequest(plan, progress, headers, signal, left / 2);
    }
    // The key goes into the one header that the operation uses, and into no other.
    if (key === null) return hideOwn(progress, headers);
    for (const name of credentialHeaders) headers.delete(name);
    if (operation.auth === 'clientKey') headers.set('x-client-key', key);
    else headers.set('authorization', `Bearer ${key}`);
  }

  return async (attempt) => {
    const { plan, progress, signal } = attempt;
    const { operation, rules, body } = plan;
    try {
      const response: Response = await http(plan.target, {
        method: operation.method,
        headers: {
          ...rules.headers,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        context: { attempt },
      });
      signal.throwIfAborted();
      const { status } = response;
      progress.status = status;
      notify.onResponse?.(plan, {
        attempt: progress.attempts,
        status,
        get headers() {
          return redactHeaders(response.headers, progress.redact);
        },
        durationMs: performance.now() - progress.sentAt,
      });
      if (response.headers.has('deprecation') || response.headers.has('sunset')) {
        notify.deprecation(plan, redactHeaders(response.headers, progress.redact));
      }
      return response;
    } catch (error) {
      if (isExamServiceError(error) || signal.aborted) throw error;
      throw new ConnectionError(progress.facts, isNetworkError(error) ? error.cause : error);
    }
  };
}

/**
 * Without a key, an `Authorization` for a proxy is the caller's own and just as secret; no other header carries a
 * credential.
 */
function hideOwn(progress: Progress, headers: Headers): void {
  headers.delete('x-client-key');
  const credential = headers.get('authorization')?.replace(/^\S+\s+/, '');
  if (credential) progress.addKey(credential);
}

/** @throws {ConfigurationError} for a `fetch` that gives something else, as a mock may, or a response that was read */
function assertResponse(
  response: FetchResponse,
  progress: Progress,
): asserts response is Response & FetchResponse {
  const { status, headers, bodyUsed }: Partial<Response> = Object(response);
  const isResponse = typeof status === 'number' && typeof headers?.get === 'function';
  if (isResponse && bodyUsed !== true) return;
  const given = isResponse
    ? 'a response whose body was read before'
    : `${kindOf(response)} and not a Response`;
  throw new ConfigurationError(
    `\`fetch\` gave ${given}. It must give a new Response for every request.`,
    {},
    conclude(progress.facts, 'unknown', false),
  );
}

function kindOf(value: unknown): string {
  return value === null || typeof value !== 'object' ? String(value) : `an object (${tagOf(value)})`;
}

// The hooks of the client, the events that they receive, and how sets of hooks are read.

import type { Issue } from '../util/standard-schema.ts';
import { aFunction, anObject, type OptionTable, optional, readOptions } from './check.ts';
import type { Outcome } from './errors/base.ts';
import type { AnyCallError } from './errors/call-error.ts';
import type { AuthScheme, HttpMethod, OperationName } from './operation.ts';

/** Fields of every hook event. */
export interface CallEvent {
  /** The same in all events of a call, different for each call; each page of an iteration counts as a call. */
  readonly callId: string;
  /** The operation, such as `exams.list`; `request` for `client.request`. */
  readonly operation: OperationName;
  /** HTTP method of the operation. */
  readonly method: HttpMethod;
  /** Path template below the base URL, such as `/exams/{id}`; for `client.request` the path as given, without a key. */
  readonly route: string;
}

/** A call was made. */
export interface OnStartEvent extends CallEvent {
  /** Base URL of the client. */
  readonly baseUrl: string;
}

/** Fields of the events about one attempt. */
export interface RequestEvent extends CallEvent {
  /** The full address, with the query; a key in it is replaced. */
  readonly url: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** A request is about to be sent. */
export interface OnRequestEvent extends RequestEvent {
  /** Which header will carry the key. */
  readonly auth: AuthScheme;
  /** The headers, before the credential is added; a hook may add its own, such as `traceparent`. */
  readonly headers: Headers;
  /** How long the request was held back by `maxConcurrency` or a pause after a 429, in milliseconds. */
  readonly queuedMs: number;
}

/** A response has arrived. */
export interface OnResponseEvent extends RequestEvent {
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Time from sending the request to receiving the response headers, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt failed and another will follow. */
export interface OnRetryEvent extends RequestEvent {
  /** Why the attempt failed. */
  readonly error: AnyCallError;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** With `validation: 'report'`: a response does not have the expected shape. */
export interface OnSchemaDriftEvent extends CallEvent {
  /** What differs, by path; never values. */
  readonly issues: readonly Issue[];
}

/** The service has deprecated an operation. */
export interface OnDeprecationEvent extends CallEvent {
  /** The `Deprecation` header as sent; `null` when only `Sunset` was sent. */
  readonly deprecation: string | null;
  /** The `Sunset` header as sent: when the operation ends. */
  readonly sunset: string | null;
  /** The `Link` header as sent: where to read about it. */
  readonly link: string | null;
}

/** A call has ended, and its promise is about to settle. */
export interface OnEndEvent extends CallEvent {
  /**
   * `success`, or the outcome of the request when the call rejects; `cancelled` for a page that was fetched ahead and is
   * not needed, because the iteration has ended.
   */
  readonly outcome: 'success' | 'cancelled' | Outcome;
  /** What the call rejects with: an error of this package, or the reason of an abort; `null` after success. */
  readonly error: unknown;
  /** Whether repeating the call later may help and does no harm; `false` after success. */
  readonly retryable: boolean;
  /** Number of attempts; 0 when the call ended before the first. */
  readonly attempts: number;
  /** HTTP status of the last attempt; `null` when it got no response. */
  readonly status: number | null;
  /** Duration of the call, including all attempts and waits, in milliseconds. */
  readonly durationMs: number;
}

/**
 * Callbacks for what happens during calls. Each is called synchronously, and only `onRequest` is awaited. Errors that
 * hooks throw are logged; neither an error nor a hanging hook changes the result of a call.
 */
export interface Hooks {
  /** Once per call, when it is made; not for one whose arguments are rejected. */
  readonly onStart?: ((event: OnStartEvent) => unknown) | undefined;
  /**
   * Before every attempt. A promise is awaited, so that headers may be added asynchronously, for at most 5 seconds, which count
   * towards `timeout`. After that, the request is sent without them.
   */
  readonly onRequest?: ((event: OnRequestEvent) => unknown) | undefined;
  /** After every response, with any status. */
  readonly onResponse?: ((event: OnResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes another attempt. */
  readonly onRetry?: ((event: OnRetryEvent) => unknown) | undefined;
  /**
   * With `validation: 'report'`, for every response whose shape differs. In every mode, for a last page that has fewer rows than
   * its metadata counts.
   */
  readonly onSchemaDrift?: ((event: OnSchemaDriftEvent) => unknown) | undefined;
  /** For every response with a `Deprecation` or `Sunset` header. */
  readonly onDeprecation?: ((event: OnDeprecationEvent) => unknown) | undefined;
  /** Once per call: with the last byte of its response, or when its data is ready if you await it by then, or when it fails. */
  readonly onEnd?: ((event: OnEndEvent) => unknown) | undefined;
}

/** What a hook of this name is called with. */
export type HookEvent<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

const aHook = optional(aFunction);

/** Every hook; those of a receiver are among them. */
export const hookTable = {
  onStart: aHook,
  onRequest: aHook,
  onResponse: aHook,
  onRetry: aHook,
  onSchemaDrift: aHook,
  onDeprecation: aHook,
  onEnd: aHook,
} satisfies OptionTable<Hooks>;

/**
 * Checks one set of hooks or a list of sets, of a client or a receiver, since one set can watch both. It returns the sets themselves:
 * their functions may be methods.
 */
export function hookSets<Set>(value: unknown = [], name: string): readonly Set[] {
  return [value].flat().map((set) => {
    readOptions(`\`${name}\``, anObject(set, name), hookTable, `${name}.`);
    return set as Set;
  });
}

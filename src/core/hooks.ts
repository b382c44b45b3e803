import type { Issue } from '../util/standard-schema.ts';
import type { AuthScheme } from './attempt/auth.ts';
import type { ExamServiceError, Outcome } from './errors/base.ts';
import type { HttpMethod } from './request/http-method.ts';

/** What every hook is told of the call. */
export interface CallEvent {
  /** The same in all events of a call, and different for each call; a page of an iteration is a call of its own. */
  readonly callId: string;
  /** The operation, such as `exams.list`; `request` for `client.request`. */
  readonly operation: string;
  /** HTTP method of the operation. */
  readonly method: HttpMethod;
  /** Path template below the base URL, such as `/exams/{id}`; for `client.request` the path as it was given. */
  readonly route: string;
}

/** A call was made. */
export interface OnStartEvent extends CallEvent {
  /** Base URL of the client. */
  readonly baseUrl: string;
}

/** What the hooks of an attempt are told. */
export interface RequestEvent extends CallEvent {
  /** The full address, with the query. */
  readonly url: string;
  /** Which attempt this is; 1 is the first. */
  readonly attempt: number;
}

/** A request is about to be sent. */
export interface OnRequestEvent extends RequestEvent {
  /** Which header will carry the key. */
  readonly auth: AuthScheme;
  /** The headers, before the credential is added; a hook may add some, such as `traceparent`. */
  readonly headers: Headers;
}

/** A response has come. */
export interface OnResponseEvent extends RequestEvent {
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** From sending the request to its response's headers, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt failed and another will follow. */
export interface OnRetryEvent extends RequestEvent {
  /** Why the attempt failed. */
  readonly error: ExamServiceError;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** With `validation: 'report'`: an answer did not have the expected shape. */
export interface OnSchemaDriftEvent extends CallEvent {
  /** What differs, by path; no values. */
  readonly issues: readonly Issue[];
}

/** The service announced the end of an operation. */
export interface OnDeprecationEvent extends CallEvent {
  /** The `Deprecation` header, as sent; `null` when only `Sunset` was sent. */
  readonly deprecation: string | null;
  /** The `Sunset` header, as sent: when the operation ends. */
  readonly sunset: string | null;
  /** The `Link` header, as sent: where to read about it. */
  readonly link: string | null;
}

/** A call has ended, and its caller is about to be told. */
export interface OnEndEvent extends CallEvent {
  /** `success`, or what became of the request of a call that rejects. */
  readonly outcome: 'success' | Outcome;
  /** What the call rejects with: an error of this package, or the reason of an abort; `null` after success. */
  readonly error: unknown;
  /** Whether the same call again later can help and does no harm; `false` after success. */
  readonly retryable: boolean;
  /** How often the request was tried; 0 when the call was refused before that. */
  readonly attempts: number;
  /** HTTP status that the last attempt was answered with; `null` when it got no response. */
  readonly status: number | null;
  /** From the call to its end, all attempts and waits included, in milliseconds. */
  readonly durationMs: number;
}

/**
 * Functions that are told what happens. Each is called synchronously where it happens. Only `onRequest` is waited for. What
 * hooks throw is logged; that, or hanging, never changes what a call gives.
 */
export interface Hooks {
  /** Once for every call, when it is made, also if it is then refused before anything is sent. */
  readonly onStart?: ((event: OnStartEvent) => unknown) | undefined;
  /**
   * Before every attempt. A promise is waited for, so that headers that are added late are sent: for at most half of what is
   * left of `timeout` and `totalTimeout`, and for 5 seconds. Then the request is sent without.
   */
  readonly onRequest?: ((event: OnRequestEvent) => unknown) | undefined;
  /** After every response, whatever its status. */
  readonly onResponse?: ((event: OnResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes another attempt. */
  readonly onRetry?: ((event: OnRetryEvent) => unknown) | undefined;
  /** With `validation: 'report'`, for every answer of another shape. */
  readonly onSchemaDrift?: ((event: OnSchemaDriftEvent) => unknown) | undefined;
  /** For every response with a `Deprecation` or `Sunset` header. */
  readonly onDeprecation?: ((event: OnDeprecationEvent) => unknown) | undefined;
  /** Once for every call, when it ends: answered, failed, aborted or refused. With `asResponse()`, before the body is read. */
  readonly onEnd?: ((event: OnEndEvent) => unknown) | undefined;
}

/** Every hook. */
export const hookNames: readonly string[] = Object.keys({
  onStart: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onSchemaDrift: true,
  onDeprecation: true,
  onEnd: true,
} satisfies Record<keyof Hooks, true>);

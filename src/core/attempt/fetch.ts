import type { HttpMethod } from '../request/http-method.ts';

/** The platform's `fetch`, or one like it, such as those of undici and node-fetch. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What `fetch` is told of a request, beside the client's and the call's `fetchOptions`. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Headers by name in lower case, the credential among them. */
  readonly headers: Record<string, string>;
  /** The JSON body; absent where there is none. */
  readonly body?: string;
  /** Redirects are never followed: the key would travel along. */
  readonly redirect: 'manual';
  /** Aborts when the caller gives up or the time is over. */
  readonly signal?: AbortSignal;
}

/** The part of a `Response` in use. */
export interface FetchResponse {
  /** Whether the status is 2xx. */
  readonly ok: boolean;
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase of the status. */
  readonly statusText: string;
  /** Whether a redirect was followed. */
  readonly redirected: boolean;
  /** Kind of the response; a browser shows a redirect as `opaqueredirect`. */
  readonly type: string;
  /** The address that answered. */
  readonly url: string;
  /** Headers of the response. */
  readonly headers: {
    get(name: string): string | null;
    has(name: string): boolean;
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** A stream of the bytes: a web stream or a Node stream. */
  readonly body: unknown;
  /** The whole body as a string. */
  text(): Promise<string>;
}

/** What the client decides about every request. */
export const OWNED_FETCH_OPTIONS = ['method', 'headers', 'body', 'signal', 'redirect'] as const;

/** Options for `fetch` beyond those that the client decides: whatever the platform's or your own `fetch` understands. */
export type FetchOptions = { readonly [Name in (typeof OWNED_FETCH_OPTIONS)[number]]?: never } & {
  readonly [option: string]: unknown;
};

import type { HttpMethod } from '../operation.ts';

/** The platform's `fetch`, or one like it, such as those of undici and node-fetch. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What `fetch` receives, besides the `fetchOptions` of the client and the call. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Headers by lower-case name, including the credential. */
  readonly headers: Record<string, string>;
  /** The JSON body; absent when there is none. */
  readonly body?: string;
  /** Redirects are never followed: the key would be sent along. */
  readonly redirect: 'manual';
  /** Aborts when the caller cancels or time runs out. */
  readonly signal?: AbortSignal;
}

/** The part of a `Response` that is used; its body may be a web stream or, from node-fetch, a Node stream. */
export interface FetchResponse
  extends Pick<Response, 'ok' | 'status' | 'statusText' | 'redirected' | 'type' | 'url' | 'text'> {
  /** Headers of the response. */
  readonly headers: Pick<Headers, 'get' | 'has'> & {
    /** Calls `callback` for every header. */
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** A stream of the bytes. */
  readonly body: unknown;
}

/** Options for `fetch` that the client does not decide: whatever the platform's or your own `fetch` understands. */
export type FetchOptions = { readonly [Owned in keyof FetchInit]?: never } & {
  readonly [option: string]: unknown;
};

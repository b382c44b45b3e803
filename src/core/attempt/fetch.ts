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

/** The part of a `Response` in use; its body may be a web stream or, as node-fetch gives it, a Node stream. */
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

/** Options for `fetch` beyond those that the client decides: whatever the platform's or your own `fetch` understands. */
export type FetchOptions = { readonly [Owned in keyof FetchInit]?: never } & {
  readonly [option: string]: unknown;
};

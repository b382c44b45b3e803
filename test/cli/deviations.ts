import type { Emulator } from '../../src/testing/index.ts';
import { serve } from './serve.ts';

/** A request that is on its way to the emulator. */
export interface Passing {
  readonly method: string;
  /** Below the prefix of the service. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** Sends it on, as it is now. */
  forward(): Promise<Passed>;
}

export interface Passed {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the response of the emulator, to be changed anywhere
  json: any;
  /** Sent in place of the JSON. */
  text?: string;
  headers?: Record<string, string>;
}

/** What a service does otherwise than documented; `undefined` for all that it does right. */
export type Deviation = (request: Passing) => Promise<Passed> | undefined;

/** Stands in front of an emulator and deviates. */
export function startDeviating(
  { emulator }: { readonly emulator: Emulator },
  deviation: Deviation,
): ReturnType<typeof serve> {
  return serve(async (request) => {
    const { pathname, searchParams: query } = new URL(request.url);
    const { method } = request;
    const headers = new Headers(request.headers);
    const body = await request.text();
    const passing: Passing = {
      method,
      path: pathname.replace('/api/v1', ''),
      query,
      headers,
      body,
      async forward() {
        const response = await emulator.fetch(`http://emulator${pathname}?${query}`, {
          method,
          headers,
          ...(body === '' ? {} : { body }),
        });
        return { status: response.status, json: await response.json() };
      },
    };
    const { status, json, text, headers: more = {} } = await (deviation(passing) ?? passing.forward());
    return text === undefined
      ? Response.json(json, { status, headers: more })
      : new Response(text, { status, headers: more });
  });
}

/** Changes the response of the emulator. */
export async function changed(request: Passing, change: (passed: Passed) => void): Promise<Passed> {
  const passed = await request.forward();
  change(passed);
  return passed;
}

/** Gives some responses another status. */
export function returning(status: number, isMeant: (request: Passing, status: number) => boolean): Deviation {
  return (request) =>
    changed(request, (passed) => {
      if (isMeant(request, passed.status)) passed.status = status;
    });
}

export type IsMeant = (request: Passing) => boolean;

/** Which requests. */
export const is =
  (method: string, path: RegExp): IsMeant =>
  (request) =>
    request.method === method && path.test(request.path);
/** Changes the responses to some requests. */
export const when =
  (isMeant: IsMeant, change: (passed: Passed, request: Passing) => void): Deviation =>
  (request) =>
    isMeant(request) ? changed(request, (passed) => change(passed, request)) : undefined;
/** Responds without the emulator. */
export const instead =
  (isMeant: IsMeant, status: number, json: unknown = {}): Deviation =>
  (request) =>
    isMeant(request) ? Promise.resolve({ status, json }) : undefined;
/** Changes some requests on their way. */
export const asking =
  (isMeant: IsMeant, change: (request: Passing) => void): Deviation =>
  (request) => {
    if (isMeant(request)) change(request);
    return undefined;
  };

/** Deviates in several ways at once, the last one next to the emulator. */
export const together =
  (deviations: readonly Deviation[]): Deviation =>
  (request) => {
    let inner = request;
    for (const deviation of deviations.toReversed()) {
      const next = inner;
      inner = { ...next, forward: () => deviation(next) ?? next.forward() };
    }
    return inner.forward();
  };

/** The body of a request. */
export const sent = ({ body }: Passing) => (body === '' ? {} : JSON.parse(body));

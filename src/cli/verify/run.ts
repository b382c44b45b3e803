// One run of `exam-service-sdk verify`: sends its requests and keeps the verdict on each claim.

import type { ExamClient } from '../../client.ts';
import type { AuthScheme } from '../../core/attempt/auth.ts';
import { ResponseError } from '../../core/errors/response-error.ts';
import { type ClaimId, claims } from './claims/claims.ts';

export type Verdict = 'contradicted' | 'confirmed' | 'not decided';

export interface Finding {
  readonly verdict: Verdict;
  /** What was seen: statuses, counts and documented names, nothing personal. */
  readonly seen: string;
}

/** What came back; a status outside 2xx is an answer like any other. */
export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  /** `undefined` where it is not JSON, or the status is not 2xx. */
  readonly body: unknown;
  readonly headers: Headers;
}

const CLEANUP_MS = 10_000;

type Query = Readonly<Record<string, string | number>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Strongest first: a claim is confirmed when all of it is. */
const strength: readonly Verdict[] = ['contradicted', 'not decided', 'confirmed'];

/**
 * The service, or what is in front of it, has not looked at the request, after the client's retries too. That decides no
 * claim, and more requests would make it worse: the run ends.
 */
export const notNow: readonly number[] = [429, 502, 503, 504];

/** A run against a service: sends requests, and keeps what was found of each claim. */
export class Run {
  readonly client: ExamClient;
  readonly signal: AbortSignal;
  readonly findings = new Map<ClaimId, Finding>();
  /** What was seen where the documentation is silent. */
  readonly notes: string[] = [];

  constructor(client: ExamClient, signal: AbortSignal) {
    this.client = client;
    this.signal = signal;
  }

  /** The same run with another key: its findings are those of this one. */
  async withKey(apiKey: string, path: string, auth: AuthScheme): Promise<Answer> {
    return new Run(this.client.withOptions({ apiKey }), this.signal).get(path, {}, auth);
  }

  /** The same run for what is to be taken away at its end, also after it was told to stop. */
  forCleanup(): Run {
    return new Run(this.client, AbortSignal.timeout(CLEANUP_MS));
  }

  get(path: string, query: Query = {}, auth: AuthScheme = schemeOf(path)): Promise<Answer> {
    return this.#request({ method: 'GET', path, auth, query });
  }

  send(method: Exclude<Method, 'GET'>, path: string, body?: unknown): Promise<Answer> {
    return this.#request({ method, path, auth: schemeOf(path), body });
  }

  /** Notes whether a claim holds; `null` where what came does not tell. */
  decide(id: ClaimId, holds: boolean | null, seen: string): void {
    const verdict = holds === null ? 'not decided' : holds ? 'confirmed' : 'contradicted';
    const known = this.findings.get(id);
    if (known && strength.indexOf(known.verdict) <= strength.indexOf(verdict)) return;
    this.findings.set(id, { verdict, seen });
  }

  /** Notes whether an answer has the documented status. */
  decideStatus(id: ClaimId, request: string, { status }: Pick<Answer, 'status'>, expected: number): boolean {
    this.decide(id, isForbidden(status) ? null : status === expected, `${request}: ${status}`);
    return status === expected;
  }

  /** Notes whether an answer refuses; with which status is not documented. */
  decideRefusal(id: ClaimId, request: string, { status }: Answer): void {
    const isRefusal = status >= 400 && status < 500;
    this.decide(id, isForbidden(status) ? null : isRefusal, `${request}: ${status}`);
  }

  /** Notes whether a value has the documented fields. */
  decideFields(id: ClaimId, wrong: readonly string[], what: string): void {
    this.decide(
      id,
      wrong.length === 0,
      `${what}: ${wrong.length === 0 ? 'as documented' : wrong.join(', ')}`,
    );
  }

  async #request(request: Parameters<ExamClient['request']>[0]): Promise<Answer> {
    try {
      const { data, response } = await this.client.request(request, { signal: this.signal }).withResponse();
      return { status: response.status, ok: true, body: data, headers: response.headers };
    } catch (error) {
      if (!(error instanceof ResponseError) || notNow.includes(error.status)) throw error;
      const { status, headers } = error;
      return { status, ok: status >= 200 && status < 300, body: undefined, headers };
    }
  }
}

/** What the key may not do says nothing of a claim. */
function isForbidden(status: number): boolean {
  return status === 401 || status === 403;
}

/** The credential that an operation takes by its documentation. */
function schemeOf(path: string): AuthScheme {
  return path.startsWith('/webhooks') ? 'bearer' : 'clientKey';
}

/** Ids of the claims that a run of this kind is to decide, and of those that it decided besides. */
export function decidable(run: Run, means: ReadonlySet<string>): ClaimId[] {
  return (Object.keys(claims) as ClaimId[]).filter((id) => means.has(claims[id].by) || run.findings.has(id));
}

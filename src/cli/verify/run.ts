// One run of `exam-service-sdk verify`: sends its requests and keeps the verdict on each claim.

import type { ExamClient } from '../../client.ts';
import { ask, type Content, isRejectedWith, type Reply } from '../reply.ts';
import { type ClaimId, claims } from './claims/claims.ts';
import { type Sent, schemeOf, type Undo, type UndoStack } from './undo.ts';

export type Verdict = 'contradicted' | 'confirmed' | 'not decided';

export interface Finding {
  readonly verdict: Verdict;
  /** What was seen: statuses, counts and documented names, nothing personal. */
  readonly seen: string;
}

/** The clients of a run, each with a key of its own. */
export interface Clients {
  readonly withKey: ExamClient;
  readonly withWrongKey: ExamClient;
  /** Sends half of every body, which is not JSON. */
  readonly sendingHalf: ExamClient;
}

/** Strongest first: a claim is confirmed when all of it is. */
const strength: readonly Verdict[] = ['contradicted', 'not decided', 'confirmed'];

/**
 * The service, or what is in front of it, has not looked at the request, after the client's retries too. That decides no
 * claim, and more requests would make it worse: the run ends.
 */
const notNow: readonly number[] = [429, 502, 503, 504];

/** A run against a service: sends requests, and keeps what was found of each claim. */
export class Run {
  readonly signal: AbortSignal;
  readonly findings = new Map<ClaimId, Finding>();
  /** What was seen where the documentation is silent. */
  readonly notes: string[] = [];
  /** What the run has made, and is to take away. */
  readonly made: UndoStack;
  readonly #clients: Clients;

  constructor(clients: Clients, made: UndoStack, signal: AbortSignal) {
    this.#clients = clients;
    this.made = made;
    this.signal = signal;
  }

  get(path: string, query: Sent['query'] = {}, auth = schemeOf(path)): Promise<Reply> {
    return this.#request({ method: 'GET', path, query }, auth);
  }

  getWithWrongKey(path: string, auth: ReturnType<typeof schemeOf>): Promise<Reply> {
    return this.#request({ method: 'GET', path }, auth, this.#clients.withWrongKey);
  }

  /** Sends what makes nothing that is to be taken away. */
  send(method: Sent['method'], path: string, body?: unknown): Promise<Reply> {
    return this.#request({ method, path, body });
  }

  sendHalf(path: string, body: unknown): Promise<Reply> {
    return this.#request({ method: 'POST', path, body }, schemeOf(path), this.#clients.sendingHalf);
  }

  /** Sends what makes something. How to take it away is noted before, since the answer may never come. */
  async make<Step extends Undo & { answered(reply: Reply): void }>(
    step: Step,
    path: string,
    body: unknown,
  ): Promise<Reply> {
    this.made.push(step);
    const reply = await this.send('POST', path, body);
    step.answered(reply);
    return reply;
  }

  /** Notes whether a claim holds; `null` where what came does not tell. */
  decide(id: ClaimId, holds: boolean | null, seen: string): void {
    const verdict = holds === null ? 'not decided' : holds ? 'confirmed' : 'contradicted';
    const known = this.findings.get(id);
    if (known && strength.indexOf(known.verdict) <= strength.indexOf(verdict)) return;
    this.findings.set(id, { verdict, seen });
  }

  /** Notes whether an answer has the documented status. */
  decideStatus(id: ClaimId, request: string, reply: Reply, expected: number): boolean {
    const holds = reply.status === expected && (reply.ok || expected >= 400);
    this.decide(id, saysNothing(reply) ? null : holds, `${request}: ${reply.words}`);
    return holds;
  }

  /** Notes whether an answer is a success; with which status is not documented. */
  decideSuccess(id: ClaimId, request: string, reply: Reply): reply is Content {
    this.decide(id, saysNothing(reply) ? null : reply.ok, `${request}: ${reply.words}`);
    return reply.ok;
  }

  /** Notes whether an answer refuses; with which status is not documented. */
  decideRefusal(id: ClaimId, request: string, reply: Reply): void {
    const isRefusal = !reply.ok && reply.kind === 'rejected' && reply.status < 500;
    this.decide(id, saysNothing(reply) ? null : isRefusal, `${request}: ${reply.words}`);
  }

  /** Notes what the content of an answer says of a claim: an answer without content says nothing of it. */
  decideContent(
    id: ClaimId,
    request: string,
    reply: Reply,
    judge: (content: Content) => readonly [holds: boolean | null, seen: string],
  ): void {
    const [holds, seen] = reply.ok ? judge(reply) : [null, reply.words];
    this.decide(id, holds, `${request}: ${seen}`);
  }

  /** Notes whether a value has the documented fields. */
  decideFields(id: ClaimId, wrong: readonly string[], what: string): void {
    this.decide(
      id,
      wrong.length === 0,
      `${what}: ${wrong.length === 0 ? 'as documented' : wrong.join(', ')}`,
    );
  }

  async #request(
    request: Sent,
    auth = schemeOf(request.path),
    client = this.#clients.withKey,
  ): Promise<Reply> {
    const reply = await ask(client, { ...request, auth }, this.signal);
    if (!reply.ok && reply.error && notNow.includes(reply.status)) throw reply.error;
    return reply;
  }
}

/** What the key may not do, and what a gateway says, shows nothing of a claim. */
function saysNothing(reply: Reply): boolean {
  return isRejectedWith(reply, 401, 403) || (!reply.ok && reply.kind === 'gateway');
}

/** Ids of the claims that a run of this kind is to decide, and of those that it decided besides. */
export function decidable(run: Run, means: ReadonlySet<string>): ClaimId[] {
  return (Object.keys(claims) as ClaimId[]).filter((id) => means.has(claims[id].by) || run.findings.has(id));
}

// One run of `exam-service-sdk verify`: sends its requests and keeps the verdict on each claim.

import type { ExamClient } from '../../client.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import { parseListResponse, parseRecordResponse } from '../inspect/response.ts';
import { ask, type Content, isRejected, isRejectedWith, type Reply } from '../reply.ts';
import type { ClaimId } from './claims.ts';
import { type Cleanup, type Made, type Sent, schemeOf } from './cleanup.ts';
import { envelope, wrongFields } from './schemas.ts';

/** Weakest last: a claim is confirmed when all of it is. */
export const verdicts = ['contradicted', 'not decided', 'confirmed'] as const;

export interface Finding {
  readonly verdict: (typeof verdicts)[number];
  /** What was seen: statuses, counts and documented names, nothing personal. */
  readonly seen: string;
}

/** The clients of a run, which differ in what they send. */
export interface Clients {
  readonly withKey: ExamClient;
  readonly withWrongKey: ExamClient;
  /** Sends half of every body, which is not JSON. */
  readonly sendingHalf: ExamClient;
}

/**
 * The service, or what is in front of it, has not looked at the request, after the client's retries too. That decides no
 * claim, and more requests would make it worse: the run ends.
 */
const notNow: readonly number[] = [429, 502, 503, 504];

/** Fits every column for ids that a database has, and no record has got that far. */
export const UNKNOWN_ID = 2_147_483_647;

export class Run {
  readonly findings = new Map<ClaimId, Finding>();
  /** What was seen where the documentation is silent. */
  readonly notes: string[] = [];
  readonly cleanup: Cleanup;
  readonly signal: AbortSignal;
  readonly #clients: Clients;

  constructor(clients: Clients, cleanup: Cleanup, signal: AbortSignal) {
    this.#clients = clients;
    this.cleanup = cleanup;
    this.signal = signal;
  }

  get(path: string, query: Sent['query'] = {}, auth = schemeOf(path)): Promise<Reply> {
    return this.#request({ method: 'GET', path, query }, this.#clients.withKey, auth);
  }

  getWithWrongKey(path: string): Promise<Reply> {
    return this.#request({ method: 'GET', path }, this.#clients.withWrongKey);
  }

  /** Sends what makes nothing that must be removed. */
  send(method: Sent['method'], path: string, body?: unknown): Promise<Reply> {
    return this.#request({ method, path, body });
  }

  sendHalf(path: string, body: unknown): Promise<Reply> {
    return this.#request({ method: 'POST', path, body }, this.#clients.sendingHalf);
  }

  /** Sends what makes something, and has it removed at the end. */
  async make(made: Made, path: string, body: unknown): Promise<Reply> {
    this.cleanup.add(made);
    const reply = await this.send('POST', path, body);
    made.respond(reply);
    return reply;
  }

  /** Notes whether a claim holds; `null` if what came leaves that open. */
  decide(id: ClaimId, holds: boolean | null, seen: string): void {
    const verdict = holds === null ? 'not decided' : holds ? 'confirmed' : 'contradicted';
    const known = this.findings.get(id);
    if (known && verdicts.indexOf(known.verdict) <= verdicts.indexOf(verdict)) return;
    this.findings.set(id, { verdict, seen });
  }

  /** Notes whether a response has the documented status. */
  decideStatus(id: ClaimId, request: string, reply: Reply, expected: number): boolean {
    const holds = reply.status === expected && (reply.ok || expected >= 400);
    this.#decideUnlessSilent(id, request, reply, holds);
    return holds;
  }

  /** Notes whether a response is a success; with which status is not documented. */
  decideSuccess(id: ClaimId, request: string, reply: Reply): reply is Content {
    this.#decideUnlessSilent(id, request, reply, reply.ok);
    return reply.ok;
  }

  /** Notes whether a request is rejected; with which status is not documented. */
  decideRejection(id: ClaimId, request: string, reply: Reply): void {
    this.#decideUnlessSilent(id, request, reply, isRejected(reply));
  }

  /** What the key may not do, and what a gateway says, shows nothing of a claim. */
  #decideUnlessSilent(id: ClaimId, request: string, reply: Reply, holds: boolean): void {
    const isSilent = isRejectedWith(reply, 401, 403) || reply.kind === 'gateway';
    this.decide(id, isSilent ? null : holds, `${request}: ${reply.words}`);
  }

  /** Notes what the content of a response says of a claim: without content it says nothing. */
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
    this.decide(id, wrong.length === 0, `${what}: ${wrong.join(', ') || 'as documented'}`);
  }

  decideEnvelope(request: string, { body }: Content, isList = false): void {
    const hasMeta = !isList || isObject(Object(body).meta);
    this.decideFields(
      'envelope.fields',
      [...wrongFields(envelope, body), ...(hasMeta ? [] : ['meta'])],
      request,
    );
  }

  /** Notes whether the ids of a list are unique integers, and returns them. */
  decideIds(id: 'participant.id' | 'exam.id', list: Reply): number[] {
    if (!list.ok) return [];
    const items = itemsOf(list);
    const ids = items.map((item) => item['id']).filter((one): one is number => Number.isSafeInteger(one));
    const isUnique = new Set(ids).size === ids.length;
    this.decide(
      id,
      items.length === 0 ? null : ids.length === items.length && isUnique,
      `${items.length} records, ${ids.length} with an integer${isUnique ? '' : ', some of them equal'}`,
    );
    return ids;
  }

  /** Reads a record, and notes whether it is the one that was asked for. */
  async decideRecord(claim: 'retrieve.200' | 'exams.retrieve', path: string, id: number): Promise<void> {
    const reply = await this.get(`${path}/${id}`);
    const request = `GET ${path}/{id}`;
    this.decideStatus(claim, request, reply, 200);
    this.decideContent(claim, request, reply, ({ words }) => {
      const isMeant = recordOf(reply)['id'] === id;
      return [isMeant, `${words}, ${isMeant ? 'its' : 'another or no'} id`];
    });
  }

  async #request(
    request: Sent,
    client = this.#clients.withKey,
    auth = schemeOf(request.path),
  ): Promise<Reply> {
    const reply = await ask(client, { ...request, auth }, this.signal);
    if (!reply.ok && reply.error && notNow.includes(reply.status)) throw reply.error;
    return reply;
  }
}

/** The records of a list of any form. */
export function itemsOf({ body, headers }: Content): readonly JsonObject[] {
  return (parseListResponse(body, headers)?.items ?? []).filter(isObject);
}

/** A record of any form; without fields if there is none. */
export function recordOf(reply: Reply): JsonObject {
  const [record] = (reply.ok && parseRecordResponse(reply.body)?.items) || [];
  return isObject(record) ? record : {};
}

// Removes what a run has made: webhook endpoints and an assignment.

import type { ExamClient } from '../../client.ts';
import { ask, isRejected, isRejectedWith, type Reply } from '../reply.ts';
import { rowOf, rowsOf } from './schemas.ts';

/** A request without the credential, which follows from the path. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

type Send = (request: Sent) => Promise<Reply>;

/** Something that could not be removed. */
export interface Leftover {
  /** Such as `webhook endpoint 7`. */
  readonly what: string;
  /** The command that removes it, or that shows it. */
  readonly command: string;
}

/** Something that a run makes. It is noted before the request is sent, since the response may never come. */
export interface Made {
  /** Whether there is nothing to remove (any more). */
  readonly isGone: boolean;
  /** Learns from the response to the request that makes it. Only a rejection says that nothing was made. */
  respond(reply: Reply): void;
  /** Sends what removes it; may reject. */
  remove(send: Send): Promise<void>;
  /** What is left, each with the request that removes or shows it. */
  left(): readonly { readonly what: string; readonly by: Sent }[];
}

/** Enough for several pauses of a minute, which is what a rate limit asks for. */
const BUDGET_MS = 5 * 60_000;

/** The documented credential of an operation. */
export function schemeOf(path: string): 'bearer' | 'clientKey' {
  return path.startsWith('/webhooks') ? 'bearer' : 'clientKey';
}

/** What a run has made. Its client and its time are its own: the run may have been stopped, or rejected by the service. */
export class Cleanup {
  readonly #client: ExamClient;
  readonly #baseUrl: string;
  readonly #things = new Set<Made>();

  constructor(client: ExamClient, baseUrl: string) {
    this.#client = client;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
  }

  add(thing: Made): void {
    this.#things.add(thing);
  }

  /** Removes what it can, newest first; the rest can be tried again. Never rejects. */
  async run(): Promise<void> {
    const signal = AbortSignal.timeout(BUDGET_MS);
    const send: Send = (sent) => ask(this.#client, { ...sent, auth: schemeOf(sent.path) }, signal);
    for (const thing of [...this.#things].toReversed()) {
      try {
        if (!thing.isGone) await thing.remove(send);
      } catch {
        // It stays in `left`, with its command; the others are still to be tried.
      }
    }
  }

  get left(): Leftover[] {
    const left = [...this.#things].filter(({ isGone }) => !isGone);
    return left.flatMap((thing) => thing.left().map(({ what, by }) => ({ what, command: this.#curl(by) })));
  }

  #curl({ method, path, body }: Sent): string {
    const header = schemeOf(path) === 'bearer' ? 'Authorization: Bearer ' : 'X-Client-Key: ';
    const json =
      body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return `curl -X ${method} -H "${header}$EXAM_SERVICE_API_KEY" -H 'Accept: application/json'${json} '${this.#baseUrl}${path}'`;
  }
}

const LIST: Sent = { method: 'GET', path: '/webhooks' };

/** The endpoints that a run makes. */
export class MadeEndpoints implements Made {
  readonly #url: string;
  /** Ids of those of the project; `null` if they are not known. */
  readonly #existing: ReadonlySet<number> | null;
  readonly #ids = new Set<number>();
  /** How many requests may have made one whose id is not known. */
  #unknown = 0;

  /** @param url What the URLs of the run begin with. */
  constructor(url: string, existing: ReadonlySet<number> | null) {
    this.#url = url;
    this.#existing = existing;
  }

  get isGone(): boolean {
    return this.#ids.size === 0 && this.#unknown === 0;
  }

  /** Before each request that makes one. */
  expectOne(): void {
    this.#unknown += 1;
  }

  respond(reply: Reply): void {
    const id = reply.ok ? rowOf(reply)['id'] : undefined;
    if (Number.isSafeInteger(id)) this.#ids.add(Number(id));
    else if (!isRejected(reply)) return;
    this.#unknown -= 1;
  }

  markGone(id: number): void {
    this.#ids.delete(id);
  }

  async remove(send: Send): Promise<void> {
    if (this.#unknown > 0) await this.#find(send);
    for (const id of this.#ids) {
      const { ok } = await send(deletionOf(id));
      // A deletion that failed may have been done all the same, or by others.
      const list = ok ? null : await send(LIST);
      const isAbsent = list === null || (list.ok && rowsOf(list).every((row) => row['id'] !== id));
      if (isAbsent) this.#ids.delete(id);
    }
  }

  /** After a lost response: the endpoints of this address that were not there before. */
  async #find(send: Send): Promise<void> {
    const list = await send(LIST);
    if (!list.ok || this.#existing === null) return;
    for (const { id, url } of rowsOf(list)) {
      const isOurs = !url || String(url).startsWith(this.#url);
      if (isOurs && !this.#existing.has(Number(id))) this.#ids.add(Number(id));
    }
    this.#unknown = 0;
  }

  left(): ReturnType<Made['left']> {
    const known = [...this.#ids].map((id) => ({ what: `webhook endpoint ${id}`, by: deletionOf(id) }));
    const what = `perhaps a webhook endpoint whose URL begins with ${this.#url}: see the list`;
    return this.#unknown > 0 ? [{ what, by: LIST }, ...known] : known;
  }
}

function deletionOf(id: number): Sent {
  return { method: 'DELETE', path: `/webhooks/${id}` };
}

export const ASSIGN = '/exam-participants/assign';
export const UNASSIGN = '/exam-participants/unassign';
export const LINK = '/exam-participants/link';

/** The ids of an assignment; in a request that is to be rejected, something else. */
export type Pair = Readonly<Record<string, number | string>>;

export class MadeAssignment implements Made {
  readonly #pair: Pair;
  #isGone = false;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  respond(reply: Reply): void {
    this.#isGone = isRejected(reply);
  }

  markGone(): void {
    this.#isGone = true;
  }

  async remove(send: Send): Promise<void> {
    const cancelled = await send({ method: 'POST', path: UNASSIGN, body: this.#pair });
    const link = await send({ method: 'GET', path: LINK, query: { ...this.#pair } });
    // If no link can be read, the cancellation counts: 400 and 404 mean that there was nothing to cancel.
    const hadNone = isRejectedWith(cancelled, 400, 404);
    this.#isGone = isRejectedWith(link, 404) || (!link.ok && (cancelled.ok || hadNone));
  }

  left(): ReturnType<Made['left']> {
    const { participant_id, exam_id } = this.#pair;
    const what = `the assignment of participant ${participant_id} to exam ${exam_id}`;
    return [{ what, by: { method: 'POST', path: UNASSIGN, body: this.#pair } }];
  }
}

// Removes what a run has made, webhook endpoints and an assignment, whatever the service responds meanwhile.

import type { ExamClient } from '../../client.ts';
import { ask, isRejectedWith, type Reply } from '../reply.ts';
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

/** One thing that a run makes. It is noted before the request is sent, since the response may never come. */
export interface Made {
  /** Whether there is nothing to remove (any more). */
  readonly isGone: boolean;
  /** Learns from the response to the request that makes it. */
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
  #things: Made[] = [];

  constructor(client: ExamClient, baseUrl: string) {
    this.#client = client;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
  }

  add(thing: Made): void {
    this.#things.push(thing);
  }

  /** Removes what it can, newest first, and keeps the rest for another try. Never rejects. */
  async run(): Promise<void> {
    const signal = AbortSignal.timeout(BUDGET_MS);
    const send: Send = (sent) => ask(this.#client, { ...sent, auth: schemeOf(sent.path) }, signal);
    for (const thing of this.#things.toReversed()) {
      try {
        if (!thing.isGone) await thing.remove(send);
      } catch {
        // It stays in `left`, with its command; the others are still to be tried.
      }
    }
    this.#things = this.#things.filter(({ isGone }) => !isGone);
  }

  get left(): Leftover[] {
    return this.#things.flatMap((thing) =>
      thing.left().map(({ what, by }) => ({ what, command: this.#curl(by) })),
    );
  }

  #curl({ method, path, body }: Sent): string {
    const header = schemeOf(path) === 'bearer' ? 'Authorization: Bearer ' : 'X-Client-Key: ';
    const json =
      body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return `curl -X ${method} -H "${header}$EXAM_SERVICE_API_KEY" -H 'Accept: application/json'${json} '${this.#baseUrl}${path}'`;
  }
}

/** Whether a request made nothing: the service says that it rejected it. Any other failure leaves that open. */
function madeNothing(reply: Reply): boolean {
  return !reply.ok && reply.kind === 'rejected' && reply.status < 500;
}

const LIST: Sent = { method: 'GET', path: '/webhooks' };

export class MadeEndpoint implements Made {
  readonly #url: string;
  readonly #others: () => ReadonlySet<number> | null;
  /** `undefined` while it is not known whether there is one. */
  #ids: readonly number[] | undefined;

  /**
   * @param url What the URLs of the run begin with.
   * @param others Ids of the endpoints that this request has not made; `null` if they are not known.
   */
  constructor(url: string, others: () => ReadonlySet<number> | null) {
    this.#url = url;
    this.#others = others;
  }

  get isGone(): boolean {
    return this.#ids?.length === 0;
  }

  /** `null` while it is not known, or if there is none. */
  get id(): number | null {
    return this.#ids?.[0] ?? null;
  }

  respond(reply: Reply): void {
    const id = reply.ok ? rowOf(reply)['id'] : undefined;
    if (Number.isSafeInteger(id)) this.#ids = [Number(id)];
    else if (madeNothing(reply)) this.#ids = [];
  }

  markGone(): void {
    this.#ids = [];
  }

  async remove(send: Send): Promise<void> {
    this.#ids ??= await this.#find(send);
    for (const id of this.#ids ?? []) {
      const { ok } = await send(deletionOf(id));
      // A deletion that failed may have been done all the same, or by others.
      const list = ok ? null : await send(LIST);
      const isAbsent = list === null || (list.ok && rowsOf(list).every((row) => row['id'] !== id));
      if (isAbsent) this.#ids = this.#ids?.filter((one) => one !== id);
    }
  }

  /** After a lost response: the endpoints of this address that nobody else has made. */
  async #find(send: Send): Promise<number[] | undefined> {
    const others = this.#others();
    const list = await send(LIST);
    if (!list.ok || others === null) return undefined;
    return rowsOf(list)
      .filter(({ url }) => !url || String(url).startsWith(this.#url))
      .map(({ id }) => Number(id))
      .filter((id) => !others.has(id));
  }

  left(): ReturnType<Made['left']> {
    const what = `perhaps a webhook endpoint whose URL begins with ${this.#url}: see the list`;
    if (this.#ids === undefined) return [{ what, by: LIST }];
    return this.#ids.map((id) => ({ what: `webhook endpoint ${id}`, by: deletionOf(id) }));
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
    this.#isGone = madeNothing(reply);
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

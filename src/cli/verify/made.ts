// The things that a run makes in a service: an endpoint, an assignment.

import { isRejectedWith, type Reply } from '../reply.ts';
import { rowOf, rowsOf } from './rows.ts';
import type { Send, Sent, Undo } from './undo.ts';

/** What an assignment is of; in a request that is to be refused, something else. */
export type Pair = Readonly<Record<string, number | string>>;

export const ASSIGN = '/exam-participants/assign';
export const UNASSIGN = '/exam-participants/unassign';
export const LINK = '/exam-participants/link';

/** Whether a request made nothing: the service says that it refused it. Any other failure leaves that open. */
function isRefused(reply: Reply): boolean {
  return !reply.ok && reply.kind === 'rejected' && reply.status < 500;
}

/** An endpoint that is about to be made. */
export class MadeEndpoint implements Undo {
  readonly #url: string;
  /** Ids of the endpoints that this request has not made; `null` where they are not known. */
  readonly #others: () => ReadonlySet<number> | null;
  /** `undefined` while it is not known whether there is one. */
  #ids: readonly number[] | undefined;

  /** @param url What the URLs of the run begin with. */
  constructor(url: string, others: () => ReadonlySet<number> | null) {
    this.#url = url;
    this.#others = others;
  }

  get isDone(): boolean {
    return this.#ids?.length === 0;
  }

  /** Its id; `null` while that is not known, or where there is none. */
  get id(): number | null {
    return this.#ids?.[0] ?? null;
  }

  answered(reply: Reply): void {
    const id = reply.ok ? rowOf(reply)['id'] : undefined;
    if (Number.isSafeInteger(id)) this.#ids = [Number(id)];
    else if (isRefused(reply)) this.#ids = [];
  }

  removed(): void {
    this.#ids = [];
  }

  async undo(send: Send): Promise<void> {
    this.#ids ??= await this.#find(send);
    for (const id of this.#ids ?? []) {
      const { ok } = await send(removalOf(id));
      if (ok || (await isAbsent(send, id))) this.#ids = this.#ids?.filter((one) => one !== id);
    }
  }

  /** After a lost answer: the endpoints of this address that nobody else has made. */
  async #find(send: Send): Promise<number[] | undefined> {
    const others = this.#others();
    const list = await send({ method: 'GET', path: '/webhooks' });
    if (!list.ok || others === null) return undefined;
    return rowsOf(list)
      .filter(({ url }) => !url || String(url).startsWith(this.#url))
      .map(({ id }) => Number(id))
      .filter((id) => !others.has(id));
  }

  left(): ReturnType<Undo['left']> {
    const what = `perhaps a webhook endpoint whose URL begins with ${this.#url}: see the list`;
    if (this.#ids === undefined) return [{ what, by: { method: 'GET', path: '/webhooks' } }];
    return this.#ids.map((id) => ({ what: `webhook endpoint ${id}`, by: removalOf(id) }));
  }
}

/** A deletion that failed may have been done all the same, or by others. */
async function isAbsent(send: Send, id: number): Promise<boolean> {
  const list = await send({ method: 'GET', path: '/webhooks' });
  return list.ok && rowsOf(list).every((row) => row['id'] !== id);
}

function removalOf(id: number): Sent {
  return { method: 'DELETE', path: `/webhooks/${id}` };
}

/** An assignment that is about to be made, or may be one of an earlier run. */
export class MadeAssignment implements Undo {
  readonly #pair: Pair;
  #isGone = false;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  get isDone(): boolean {
    return this.#isGone;
  }

  answered(reply: Reply): void {
    this.#isGone = isRefused(reply);
  }

  removed(): void {
    this.#isGone = true;
  }

  async undo(send: Send): Promise<void> {
    const cancelled = await send({ method: 'POST', path: UNASSIGN, body: this.#pair });
    const link = await send({ method: 'GET', path: LINK, query: { ...this.#pair } });
    // Where no link is to be had, the answer to the cancellation counts: 400 and 404 mean that there is none.
    const hadNone = isRejectedWith(cancelled, 400, 404);
    this.#isGone = isRejectedWith(link, 404) || (!link.ok && (cancelled.ok || hadNone));
  }

  left(): ReturnType<Undo['left']> {
    const { participant_id, exam_id } = this.#pair;
    const what = `the assignment of participant ${participant_id} to exam ${exam_id}`;
    return [{ what, by: { method: 'POST', path: UNASSIGN, body: this.#pair } }];
  }
}

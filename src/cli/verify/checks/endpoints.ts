// Checks the claims about webhook endpoints by creating, changing and deleting some.

import { isObject, type JsonObject } from '../../../util/json.ts';
import type { Reply } from '../../reply.ts';
import { MadeEndpoint } from '../made.ts';
import { rowOf, rowsOf } from '../rows.ts';
import type { Run } from '../run.ts';
import { checkEndpoint, checkEnvelope } from './webhook-reads.ts';

const EVENT = 'exam_result.completed';
const MOST_ENDPOINTS = 5;
const MOST_URL = 2048;
const MOST_DESCRIPTION = 255;

/** What came of a request that creates an endpoint. */
export interface Creation {
  readonly reply: Reply;
  readonly made: MadeEndpoint;
}

/** The webhook endpoints of a run. */
export class Endpoints {
  readonly #run: Run;
  readonly #url: string;
  readonly #created: MadeEndpoint[] = [];
  /** Ids of those of the project; `null` where the list cannot be read. */
  #existing: readonly number[] | null | undefined;

  constructor(run: Run, url: string) {
    this.#run = run;
    this.#url = url;
  }

  /** Creates an endpoint of the address of the run, or of another one, and tells of the answer. */
  async create(fields: JsonObject = {}): Promise<Creation> {
    this.#existing ??= await this.#list();
    const made: MadeEndpoint = new MadeEndpoint(this.#url, () => this.#othersThan(made));
    this.#created.push(made);
    const body = { url: this.#url, events: [EVENT], ...fields };
    return { made, reply: await this.#run.make(made, '/webhooks', body) };
  }

  /** What an endpoint may not be; what is accepted against the documentation is deleted with the rest. */
  async checkCreation(): Promise<void> {
    const run = this.#run;
    const long = this.#url.padEnd(MOST_URL + 1, 'x');
    const refused = [
      ['webhooks.url', 'a url of 2049 characters', { url: long }],
      ['webhooks.description', 'a description of 256', { description: 'x'.repeat(MOST_DESCRIPTION + 1) }],
      ['create.required', 'no url', { url: undefined }],
      ['create.required', 'no events', { events: undefined }],
      ['create.required', 'an empty list of events', { events: [] }],
      ['create.required', 'an unknown event', { events: ['no.such_event'] }],
    ] as const;
    for (const [claim, what, fields] of refused) {
      const { reply, made } = await this.create(fields);
      run.decideRefusal(claim, `POST /webhooks, ${what}`, reply);
      await this.#remove(made);
    }
    const description = 'x'.repeat(MOST_DESCRIPTION);
    const { reply, made } = await this.create({
      url: long.slice(0, MOST_URL),
      description,
      is_active: false,
    });
    run.decideSuccess('webhooks.url', 'POST /webhooks, 2048 characters', reply);
    run.decideSuccess('webhooks.description', 'POST /webhooks, 255 characters', reply);
    await this.#remove(made);
  }

  /** What a new endpoint shows, and what an update changes; gives the secret that it then has, if it is known. */
  async checkLife(id: number, row: JsonObject): Promise<string | null> {
    const run = this.#run;
    const secret = row['secret'];
    checkEndpoint(run, 'POST /webhooks', row, 'with');
    run.decide('create.active', row['is_active'] === true, `POST /webhooks: is_active ${row['is_active']}`);
    const list = await run.get('/webhooks');
    if (list.ok) for (const listed of rowsOf(list)) checkEndpoint(run, 'GET /webhooks', listed);
    for (const method of ['PATCH', 'PUT'] as const) {
      for (const is_active of [false, true]) await this.#checkUpdate(method, id, is_active);
    }
    for (const events of [[], ['no.such_event']]) {
      const reply = await run.send('PATCH', `/webhooks/${id}`, { events });
      run.decideRefusal('update.events', `PATCH /webhooks/{id}, ${events.length} unknown events`, reply);
    }
    return this.#checkRotation(id, secret);
  }

  async #checkUpdate(method: 'PATCH' | 'PUT', id: number, is_active: boolean): Promise<void> {
    const run = this.#run;
    const request = `${method} /webhooks/{id}`;
    const description = `verify ${method}`;
    const reply = await this.#update(method, id, { is_active, description });
    if (!run.decideSuccess('update.methods', request, reply)) return;
    const changed = rowOf(reply);
    const shown = changed['is_active'];
    run.decide('endpoint.active', shown === is_active, `${request}: is_active ${shown}`);
    run.decide('update.methods', changed['description'] === description, `${request}: the description`);
    checkEndpoint(run, request, changed);
  }

  async #checkRotation(id: number, secret: unknown): Promise<string | null> {
    const run = this.#run;
    const rotated = await this.#update('PATCH', id, { rotate_secret: true });
    const now = rotated.ok ? rowOf(rotated)['secret'] : undefined;
    const isNew = typeof now === 'string' && now !== secret;
    run.decideContent('update.rotate', 'PATCH /webhooks/{id}', rotated, () => [
      isNew,
      `${isNew ? 'a new' : 'no new'} secret`,
    ]);
    const plain = await this.#update('PATCH', id, { rotate_secret: false });
    run.decideContent('update.rotate', 'PATCH /webhooks/{id} without a rotation', plain, (content) => {
      const hasSecret = Object.hasOwn(rowOf(content), 'secret');
      return [!hasSecret, `${hasSecret ? 'a' : 'no'} secret`];
    });
    return isNew ? now : null;
  }

  async #update(method: 'PATCH' | 'PUT', id: number, changes: JsonObject): Promise<Reply> {
    const reply = await this.#run.send(method, `/webhooks/${id}`, changes);
    if (reply.ok) checkEnvelope(this.#run, `${method} /webhooks/{id}`, reply);
    return reply;
  }

  /** Creates endpoints up to the documented five, and one more. */
  async checkFive(): Promise<void> {
    const run = this.#run;
    const list = await run.get('/webhooks');
    let count = list.ok ? rowsOf(list).length : 0;
    let words = list.words;
    while (list.ok && count <= MOST_ENDPOINTS) {
      const { reply } = await this.create({ is_active: false });
      words = reply.words;
      if (!reply.ok) break;
      count += 1;
    }
    const holds = count > MOST_ENDPOINTS ? false : count === MOST_ENDPOINTS ? true : null;
    run.decide('webhooks.five', holds, `${count} endpoints, the next one: ${words}`);
  }

  async #remove(made: MadeEndpoint): Promise<void> {
    if (made.id === null) return;
    const reply = await this.#run.send('DELETE', `/webhooks/${made.id}`);
    if (reply.ok) made.removed();
    this.#run.decideContent('delete.null', 'DELETE /webhooks/{id}', reply, ({ body }) => {
      const isNull = isObject(body) && body['data'] === null;
      return [isNull, `data ${isNull ? 'null' : 'not null'}`];
    });
  }

  async #list(): Promise<number[] | null> {
    const list = await this.#run.get('/webhooks');
    return list.ok ? rowsOf(list).map(({ id }) => Number(id)) : null;
  }

  #othersThan(made: MadeEndpoint): ReadonlySet<number> | null {
    if (!this.#existing) return null;
    const ids = this.#created.flatMap((one) => (one === made || one.id === null ? [] : [one.id]));
    return new Set([...this.#existing, ...ids]);
  }
}

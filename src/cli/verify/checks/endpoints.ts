// Checks the claims about webhook endpoints by creating, changing and deleting some.

import { isObject, type JsonObject } from '../../../util/json.ts';
import type { Answer, Run } from '../run.ts';
import { checkEndpoint, checkEnvelope, rowsOf } from './webhook-reads.ts';

const EVENT = 'exam_result.completed';
const MOST_ENDPOINTS = 5;
const MOST_URL = 2048;
const MOST_DESCRIPTION = 255;

/** The webhook endpoints of a run: whatever it creates is deleted at its end. */
export class Endpoints {
  readonly #run: Run;
  readonly #url: string;
  readonly #created = new Set<number>();
  /** Those of the project, which stay. */
  #others: ReadonlySet<unknown> | undefined;
  #isInDoubt = false;

  constructor(run: Run, url: string) {
    this.#run = run;
    this.#url = url;
  }

  /** Creates an endpoint of the address of the run, or of another one, and tells of the answer. */
  async create(fields: JsonObject = {}): Promise<{ answer: Answer; row: JsonObject; id: number }> {
    this.#others ??= await this.#known();
    // Until it is answered: an answer that is lost may have made an endpoint.
    const wasInDoubt = this.#isInDoubt;
    this.#isInDoubt = true;
    const answer = await this.#run.send('POST', '/webhooks', { url: this.#url, events: [EVENT], ...fields });
    this.#isInDoubt = wasInDoubt || answer.status >= 500;
    const row = rowOf(answer);
    const id = Number(row['id']);
    if (answer.ok && Number.isSafeInteger(id)) this.#created.add(id);
    return { answer, row, id };
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
      const { answer, id } = await this.create(fields);
      run.decideRefusal(claim, `POST /webhooks, ${what}`, answer);
      if (answer.ok) await this.#remove(id);
    }
    const description = 'x'.repeat(MOST_DESCRIPTION);
    const longest = await this.create({ url: long.slice(0, MOST_URL), description, is_active: false });
    run.decide(
      'webhooks.url',
      longest.answer.ok,
      `POST /webhooks, 2048 characters: ${longest.answer.status}`,
    );
    run.decide(
      'webhooks.description',
      longest.answer.ok,
      `POST /webhooks, 255 characters: ${longest.answer.status}`,
    );
    await this.#remove(longest.id);
  }

  /** What a new endpoint shows, and what an update changes; gives the secret that it then has, if it is known. */
  async checkLife(id: number, row: JsonObject): Promise<string | null> {
    const run = this.#run;
    const secret = row['secret'];
    checkEndpoint(run, 'POST /webhooks', row, 'with');
    run.decide('create.active', row['is_active'] === true, `POST /webhooks: is_active ${row['is_active']}`);
    for (const listed of rowsOf(await run.get('/webhooks'))) checkEndpoint(run, 'GET /webhooks', listed);
    for (const method of ['PATCH', 'PUT'] as const) {
      for (const is_active of [false, true]) {
        const changed = await this.#update(method, id, { is_active, description: `verify ${method}` });
        const shown = changed['is_active'];
        run.decide('endpoint.active', shown === is_active, `${method} /webhooks/{id}: is_active ${shown}`);
        run.decide(
          'update.methods',
          changed['description'] === `verify ${method}`,
          `${method} /webhooks/{id}`,
        );
        checkEndpoint(run, `${method} /webhooks/{id}`, changed);
      }
    }
    for (const events of [[], ['no.such_event']]) {
      const answer = await run.send('PATCH', `/webhooks/${id}`, { events });
      run.decideRefusal('update.events', `PATCH /webhooks/{id}, ${events.length} unknown events`, answer);
    }
    const rotated = await this.#update('PATCH', id, { rotate_secret: true });
    const isNew = typeof rotated['secret'] === 'string' && rotated['secret'] !== secret;
    run.decide('update.rotate', isNew, `PATCH /webhooks/{id}: ${isNew ? 'a new' : 'no new'} secret`);
    const plain = await this.#update('PATCH', id, { rotate_secret: false });
    run.decide('update.rotate', !Object.hasOwn(plain, 'secret'), 'PATCH /webhooks/{id} without a rotation');
    return isNew ? String(rotated['secret']) : null;
  }

  async #update(method: 'PATCH' | 'PUT', id: number, changes: JsonObject): Promise<JsonObject> {
    const answer = await this.#run.send(method, `/webhooks/${id}`, changes);
    if (answer.ok) checkEnvelope(this.#run, `${method} /webhooks/{id}`, answer);
    return rowOf(answer);
  }

  /** Creates endpoints up to the documented five, and one more. */
  async checkFive(): Promise<void> {
    const run = this.#run;
    let count = rowsOf(await run.get('/webhooks')).length;
    let status = 0;
    while (count <= MOST_ENDPOINTS) {
      const { answer } = await this.create({ is_active: false });
      status = answer.status;
      if (!answer.ok) break;
      count += 1;
    }
    const holds = count > MOST_ENDPOINTS ? false : count === MOST_ENDPOINTS ? true : null;
    run.decide('webhooks.five', holds, `${count} endpoints, the next one: ${status}`);
  }

  async #remove(id: number, by = this.#run): Promise<void> {
    if (!this.#created.has(id)) return;
    const answer = await by.send('DELETE', `/webhooks/${id}`);
    this.#created.delete(id);
    if (!answer.ok) return this.#run.decide('delete.null', null, `DELETE /webhooks/{id}: ${answer.status}`);
    const isNull = isObject(answer.body) && answer.body['data'] === null;
    this.#run.decide('delete.null', isNull, `DELETE /webhooks/{id}: data ${isNull ? 'null' : 'not null'}`);
  }

  async #known(): Promise<ReadonlySet<unknown>> {
    return new Set(rowsOf(await this.#run.get('/webhooks')).map(({ id }) => id));
  }

  /** Deletes what is left, also of a run that was told to stop. */
  async removeAll(): Promise<void> {
    const cleanup = this.#run.forCleanup();
    if (this.#isInDoubt) {
      for (const { id, url } of rowsOf(await cleanup.get('/webhooks'))) {
        if (!this.#others?.has(id) && String(url).startsWith(this.#url)) this.#created.add(Number(id));
      }
    }
    for (const id of [...this.#created]) await this.#remove(id, cleanup);
  }
}

function rowOf({ body }: Answer): JsonObject {
  const data: unknown = Object(body).data;
  return isObject(data) ? data : {};
}

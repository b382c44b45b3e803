// Checks the claims about webhook endpoints: looks at those that exist, creates, changes and deletes some.

import { webhookEventNames } from '../../schemas/webhook-event.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import type { Reply } from '../reply.ts';
import { MadeEndpoints } from './cleanup.ts';
import { checkDeliveries } from './deliveries.ts';
import type { Run } from './run.ts';
import { endpoint, rowOf, rowsOf, wrongFields } from './schemas.ts';

const MAX_ENDPOINTS = 5;
const MAX_URL = 2048;
const MAX_DESCRIPTION = 255;

/** Looks at the endpoints and deliveries that exist. */
export async function checkWebhookReads(run: Run): Promise<void> {
  const list = await run.get('/webhooks');
  if (!list.ok) return;
  run.decideEnvelope('GET /webhooks', list, true);
  const events: unknown = Object(Object(list.body).meta).available_events;
  const texts = isObject(events) ? Object.entries(events) : [];
  const names = texts.filter(([, text]) => typeof text === 'string').map(([name]) => name);
  const isMap = names.length > 0 && names.length === texts.length;
  run.decide('webhooks.events', isMap, isMap ? `${names.length} names` : 'not a map of names to texts');
  const missing = webhookEventNames.filter((name) => !names.includes(name));
  run.decide(
    'events.names',
    missing.length === 0,
    missing.length === 0 ? 'all four' : `not ${missing.join(', ')}`,
  );
  for (const row of rowsOf(list)) checkEndpoint(run, 'GET /webhooks', row);
  for (const { id } of rowsOf(list)) await checkDeliveries(run, Number(id));
}

/** An endpoint as it is shown; with its secret only if it was just created. */
function checkEndpoint(run: Run, request: string, row: JsonObject, isNew = false): void {
  run.decideFields('endpoint.fields', wrongFields(endpoint, row), request);
  const has = typeof row['secret'] === 'string' && row['secret'] !== '';
  const holds = isNew ? has : !Object.hasOwn(row, 'secret');
  run.decide('endpoint.secret', holds, `${request}: ${has ? 'a' : 'no'} secret`);
}

/** The endpoints that a run creates, all of them at one address. */
export class Endpoints {
  readonly #run: Run;
  readonly #url: string;
  #made: MadeEndpoints | undefined;

  constructor(run: Run, url: string) {
    this.#run = run;
    this.#url = url;
  }

  /** @returns The id is `null` if the response has none. */
  async create(fields: JsonObject = {}): Promise<{ reply: Reply; id: number | null }> {
    this.#made ??= await this.#notePresent();
    this.#made.expectOne();
    const body = { url: this.#url, events: ['exam_result.completed'], ...fields };
    const reply = await this.#run.make(this.#made, '/webhooks', body);
    const id = reply.ok ? rowOf(reply)['id'] : null;
    return { reply, id: Number.isSafeInteger(id) ? Number(id) : null };
  }

  async #notePresent(): Promise<MadeEndpoints> {
    const list = await this.#run.get('/webhooks');
    return new MadeEndpoints(this.#url, list.ok ? new Set(rowsOf(list).map(({ id }) => Number(id))) : null);
  }

  /** What an endpoint may not be; one that is accepted against the documentation is deleted like the others. */
  async checkCreation(): Promise<void> {
    const run = this.#run;
    const long = this.#url.padEnd(MAX_URL + 1, 'x');
    const invalid = [
      ['webhooks.url', 'a url of 2049 characters', { url: long }],
      ['webhooks.description', 'a description of 256', { description: 'x'.repeat(MAX_DESCRIPTION + 1) }],
      ['create.required', 'no url', { url: undefined }],
      ['create.required', 'no events', { events: undefined }],
      ['create.required', 'an empty list of events', { events: [] }],
      ['create.required', 'an unknown event', { events: ['no.such_event'] }],
    ] as const;
    for (const [claim, what, fields] of invalid) {
      const { reply, id } = await this.create(fields);
      run.decideRejection(claim, `POST /webhooks, ${what}`, reply);
      await this.#delete(id);
    }
    const description = 'x'.repeat(MAX_DESCRIPTION);
    const longest = { url: long.slice(0, MAX_URL), description, is_active: false };
    const { reply, id } = await this.create(longest);
    run.decideSuccess('webhooks.url', 'POST /webhooks, 2048 characters', reply);
    run.decideSuccess('webhooks.description', 'POST /webhooks, 255 characters', reply);
    await this.#delete(id);
  }

  async #delete(id: number | null): Promise<void> {
    if (id === null) return;
    const reply = await this.#run.send('DELETE', `/webhooks/${id}`);
    if (reply.ok) this.#made?.markGone(id);
    this.#run.decideContent('delete.null', 'DELETE /webhooks/{id}', reply, ({ body }) => {
      const isNull = isObject(body) && body['data'] === null;
      return [isNull, `data ${isNull ? 'null' : 'not null'}`];
    });
  }

  /** Creates endpoints up to the documented five, and one more. */
  async checkFive(): Promise<void> {
    const list = await this.#run.get('/webhooks');
    let count = list.ok ? rowsOf(list).length : 0;
    let { words } = list;
    while (list.ok && count <= MAX_ENDPOINTS) {
      const { reply } = await this.create({ is_active: false });
      words = reply.words;
      if (!reply.ok) break;
      count += 1;
    }
    const holds = count > MAX_ENDPOINTS ? false : count === MAX_ENDPOINTS ? true : null;
    this.#run.decide('webhooks.five', holds, `${count} endpoints, the next one: ${words}`);
  }
}

/** What a new endpoint shows, and what an update changes; returns the secret that it then has, if it is known. */
export async function checkUpdates(run: Run, id: number, row: JsonObject): Promise<string | null> {
  const isActive = row['is_active'];
  checkEndpoint(run, 'POST /webhooks', row, true);
  run.decide('create.active', isActive === true, `POST /webhooks: is_active ${isActive}`);
  const list = await run.get('/webhooks');
  if (list.ok) for (const listed of rowsOf(list)) checkEndpoint(run, 'GET /webhooks', listed);
  for (const method of ['PATCH', 'PUT'] as const) {
    for (const is_active of [false, true]) await checkUpdate(run, method, id, is_active);
  }
  for (const events of [[], ['no.such_event']]) {
    const reply = await run.send('PATCH', `/webhooks/${id}`, { events });
    run.decideRejection('update.events', `PATCH /webhooks/{id}, ${events.length} unknown events`, reply);
  }
  return checkRotation(run, id, row['secret']);
}

async function update(run: Run, method: 'PATCH' | 'PUT', id: number, changes: JsonObject): Promise<Reply> {
  const reply = await run.send(method, `/webhooks/${id}`, changes);
  if (reply.ok) run.decideEnvelope(`${method} /webhooks/{id}`, reply);
  return reply;
}

async function checkUpdate(run: Run, method: 'PATCH' | 'PUT', id: number, is_active: boolean): Promise<void> {
  const request = `${method} /webhooks/{id}`;
  const description = `verify ${method}`;
  const reply = await update(run, method, id, { is_active, description });
  if (!run.decideSuccess('update.methods', request, reply)) return;
  const changed = rowOf(reply);
  const shown = changed['is_active'];
  run.decide('endpoint.active', shown === is_active, `${request}: is_active ${shown}`);
  run.decide('update.methods', changed['description'] === description, `${request}: the description`);
  checkEndpoint(run, request, changed);
}

async function checkRotation(run: Run, id: number, secret: unknown): Promise<string | null> {
  const request = 'PATCH /webhooks/{id}';
  const rotated = await update(run, 'PATCH', id, { rotate_secret: true });
  const now = rotated.ok ? rowOf(rotated)['secret'] : undefined;
  const isNew = typeof now === 'string' && now !== secret;
  run.decideContent('update.rotate', request, rotated, () => [isNew, `${isNew ? 'a new' : 'no new'} secret`]);
  const plain = await update(run, 'PATCH', id, { rotate_secret: false });
  run.decideContent('update.rotate', `${request} without a rotation`, plain, (content) => {
    const hasSecret = Object.hasOwn(rowOf(content), 'secret');
    return [!hasSecret, `${hasSecret ? 'a' : 'no'} secret`];
  });
  return isNew ? now : null;
}

// Checks the claims about webhook endpoints and deliveries that exist already, by reading them.

import { webhookEventNames } from '../../../schemas/webhook-event.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import {
  completedResult,
  delivery,
  endpoint,
  envelope,
  pagination,
  payload,
  wrongFields,
} from '../documented.ts';
import type { Answer, Run } from '../run.ts';

const DEFAULT_PER_PAGE = 25;
const MOST_PER_PAGE = 100;

/** What webhook endpoints and deliveries there are, looked at. */
export async function checkWebhookReads(run: Run): Promise<void> {
  const list = await run.get('/webhooks');
  if (!list.ok) return;
  checkEnvelope(run, 'GET /webhooks', list, true);
  const meta = Object(list.body).meta;
  const events: unknown = isObject(meta) ? meta['available_events'] : undefined;
  const described = isObject(events)
    ? Object.entries(events).filter(([, text]) => typeof text === 'string')
    : [];
  const isMap = isObject(events) && described.length === Object.keys(events).length && described.length > 0;
  run.decide('webhooks.events', isMap, isMap ? `${described.length} names` : 'not a map of names to texts');
  const missing = webhookEventNames.filter((name) => !described.some(([known]) => known === name));
  run.decide(
    'events.names',
    missing.length === 0,
    missing.length === 0 ? 'all four' : `not ${missing.join(', ')}`,
  );
  const endpoints = rowsOf(list);
  for (const row of endpoints) checkEndpoint(run, 'GET /webhooks', row);
  for (const { id } of endpoints) await checkDeliveries(run, Number(id));
}

/** Records in `data` of an envelope. */
export function rowsOf({ body }: Answer): JsonObject[] {
  const data: unknown = Object(body).data;
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export function checkEnvelope(run: Run, request: string, { body }: Answer, isList = false): void {
  const wrong = wrongFields(envelope, body);
  const hasMeta = !isList || isObject(Object(body).meta);
  run.decideFields('envelope.fields', [...wrong, ...(hasMeta ? [] : ['meta'])], request);
}

/** An endpoint as it is shown; without its secret, unless it was just made. */
export function checkEndpoint(
  run: Run,
  request: string,
  row: JsonObject,
  shown: 'without' | 'with' = 'without',
): void {
  run.decideFields('endpoint.fields', wrongFields(endpoint, row), request);
  const has = typeof row['secret'] === 'string' && row['secret'] !== '';
  run.decide(
    'endpoint.secret',
    shown === 'with' ? has : !Object.hasOwn(row, 'secret'),
    `${request}: ${has ? 'a' : 'no'} secret`,
  );
}

/** The delivery records of an endpoint: their pages, their fields, their filters. */
export async function checkDeliveries(run: Run, id: number): Promise<void> {
  const path = `/webhooks/${id}/deliveries`;
  const request = 'GET /webhooks/{id}/deliveries';
  const first = await run.get(path);
  if (!first.ok) return;
  checkEnvelope(run, request, first, true);
  const told = pagesOf(first);
  run.decideFields('deliveries.pagination', wrongFields(pagination, told), request);
  run.decide(
    'deliveries.per_page',
    told['per_page'] === DEFAULT_PER_PAGE,
    `${request}: per_page ${told['per_page']}`,
  );
  run.decide(
    'deliveries.page',
    told['current_page'] === 1,
    `${request}: current_page ${told['current_page']}`,
  );
  await checkPerPage(run, path, request);
  const rows = rowsOf(first);
  for (const row of rows) checkDelivery(run, request, row);
  await checkDeliveryFilters(run, path, rows);
}

function pagesOf({ body }: Answer): JsonObject {
  return Object(Object(Object(body).meta).pagination);
}

async function checkPerPage(run: Run, path: string, request: string): Promise<void> {
  for (const per_page of [1, MOST_PER_PAGE]) {
    const answer = await run.get(path, { per_page });
    const holds = answer.ok && rowsOf(answer).length <= per_page && pagesOf(answer)['per_page'] === per_page;
    run.decide('deliveries.per_page', holds, `${request}?per_page=${per_page}: ${answer.status}`);
  }
  for (const per_page of [0, MOST_PER_PAGE + 1]) {
    const answer = await run.get(path, { per_page });
    const size = Number(pagesOf(answer)['per_page']);
    const holds = answer.ok ? size >= 1 && size <= MOST_PER_PAGE : answer.status < 500;
    run.decide('deliveries.per_page', holds, `${request}?per_page=${per_page}: ${answer.status}`);
  }
}

function checkDelivery(run: Run, request: string, row: JsonObject): void {
  run.decideFields('delivery.fields', wrongFields(delivery, row), request);
  const sent = row['payload'];
  run.decideFields('events.body', wrongFields(payload, sent), `${request}, payload`);
  if (row['event'] !== 'exam_result.completed') return;
  run.decideFields(
    'result.payload',
    wrongFields(completedResult, Object(sent).data),
    `${request}, payload.data`,
  );
}

async function checkDeliveryFilters(run: Run, path: string, rows: readonly JsonObject[]): Promise<void> {
  // One that was delivered keeps its status between two requests.
  const row = rows.find(({ status }) => status === 'delivered') ?? rows[0];
  if (row === undefined) return;
  const other = webhookEventNames.find((name) => rows.every(({ event }) => event !== name));
  const unknown = { event: other, status: 'no-such-status' };
  for (const field of ['event', 'status'] as const) {
    const value = row[field];
    const none = unknown[field];
    if (typeof value !== 'string') continue;
    const found = rowsOf(await run.get(path, { [field]: value }));
    const others = found.filter((one) => one[field] !== value).length;
    const isLost = found.length === 0 && field === 'status' && value !== 'delivered';
    run.decide(
      `deliveries.${field}`,
      isLost ? null : found.length > 0 && others === 0,
      `${found.length} deliveries, ${others} others`,
    );
    if (none === undefined) continue;
    const left = rowsOf(await run.get(path, { [field]: none })).filter((one) => one[field] !== none).length;
    run.decide(`deliveries.${field}`, left === 0, `${left} deliveries that the filter leaves out`);
  }
}

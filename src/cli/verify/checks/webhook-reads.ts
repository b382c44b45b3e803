// Checks the claims about webhook endpoints and deliveries that exist already, by reading them.

import { webhookEventNames } from '../../../schemas/webhook-event.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import type { Content } from '../../reply.ts';
import {
  completedResult,
  delivery,
  emptyPagination,
  endpoint,
  envelope,
  pagination,
  payload,
  wrongFields,
} from '../documented.ts';
import { rowsOf } from '../rows.ts';
import type { Run } from '../run.ts';

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

export function checkEnvelope(run: Run, request: string, { body }: Content, isList = false): void {
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
  const rows = rowsOf(first);
  const form = rows.length === 0 ? emptyPagination : pagination;
  run.decideFields('deliveries.pagination', wrongFields(form, told), request);
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
  for (const row of rows) checkDelivery(run, request, row);
  await checkDeliveryFilters(run, path, rows);
}

function pagesOf({ body }: Content): JsonObject {
  return Object(Object(Object(body).meta).pagination);
}

async function checkPerPage(run: Run, path: string, request: string): Promise<void> {
  for (const per_page of [0, 1, MOST_PER_PAGE, MOST_PER_PAGE + 1]) {
    const reply = await run.get(path, { per_page });
    const asked = `${request}?per_page=${per_page}`;
    const isAllowed = per_page >= 1 && per_page <= MOST_PER_PAGE;
    if (!isAllowed && !reply.ok) run.decideRefusal('deliveries.per_page', asked, reply);
    else if (run.decideSuccess('deliveries.per_page', asked, reply)) {
      const size = Number(pagesOf(reply)['per_page']);
      const isHeeded = size === per_page && rowsOf(reply).length <= per_page;
      const isWithin = size >= 1 && size <= MOST_PER_PAGE;
      run.decide('deliveries.per_page', isAllowed ? isHeeded : isWithin, `${asked}: per_page ${size}`);
    }
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
    const request = `GET /webhooks/{id}/deliveries?${field}`;
    const found = await run.get(path, { [field]: value });
    if (!run.decideSuccess(`deliveries.${field}`, request, found)) continue;
    const { length } = rowsOf(found);
    const others = rowsOf(found).filter((one) => one[field] !== value).length;
    const isLost = length === 0 && field === 'status' && value !== 'delivered';
    run.decide(
      `deliveries.${field}`,
      isLost ? null : length > 0 && others === 0,
      `${request}: ${length} deliveries, ${others} others`,
    );
    if (none === undefined) continue;
    const without = await run.get(path, { [field]: none });
    // A value that is not known may be refused, too.
    if (!without.ok) run.decideRefusal(`deliveries.${field}`, `${request}, unknown`, without);
    else {
      const left = rowsOf(without).filter((one) => one[field] !== none).length;
      run.decide(
        `deliveries.${field}`,
        left === 0,
        `${request}: ${left} deliveries that the filter leaves out`,
      );
    }
  }
}

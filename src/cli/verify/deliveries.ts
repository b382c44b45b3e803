// Checks the claims about deliveries: reads their records, and with `--write` asks for test deliveries.

import { setTimeout as wait } from 'node:timers/promises';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import type { JsonObject } from '../../util/json.ts';
import type { Content } from '../reply.ts';
import { computeSignature, type Received, type Receiver } from './receiver.ts';
import type { Run } from './run.ts';
import {
  completedResult,
  delivery,
  emptyPagination,
  pagination,
  payload,
  rowOf,
  rowsOf,
  wrongFields,
} from './schemas.ts';

const DEFAULT_EVENT = 'exam_result.completed';
const REQUEST = 'GET /webhooks/{id}/deliveries';
const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** The delivery records of an endpoint: their pages, their fields, their filters. */
export async function checkDeliveries(run: Run, id: number): Promise<void> {
  const path = `/webhooks/${id}/deliveries`;
  const first = await run.get(path);
  if (!first.ok) return;
  run.decideEnvelope(REQUEST, first, true);
  const rows = rowsOf(first);
  const pages = pagesOf(first);
  const { per_page, current_page } = pages;
  const wrong = wrongFields(rows.length === 0 ? emptyPagination : pagination, pages);
  run.decideFields('deliveries.pagination', wrong, REQUEST);
  run.decide('deliveries.per_page', per_page === DEFAULT_PER_PAGE, `${REQUEST}: per_page ${per_page}`);
  run.decide('deliveries.page', current_page === 1, `${REQUEST}: current_page ${current_page}`);
  await checkPerPage(run, path);
  for (const row of rows) checkDelivery(run, row);
  // One that was delivered keeps its status between two requests.
  const row = rows.find(({ status }) => status === 'delivered') ?? rows[0];
  if (row === undefined) return;
  const other = webhookEventNames.find((name) => rows.every(({ event }) => event !== name));
  await checkFilter(run, path, 'event', row['event'], other);
  await checkFilter(run, path, 'status', row['status'], 'no-such-status');
}

function pagesOf({ body }: Content): JsonObject {
  return Object(Object(Object(body).meta).pagination);
}

async function checkPerPage(run: Run, path: string): Promise<void> {
  for (const per_page of [0, 1, MAX_PER_PAGE, MAX_PER_PAGE + 1]) {
    const reply = await run.get(path, { per_page });
    const request = `${REQUEST}?per_page=${per_page}`;
    const isAllowed = per_page >= 1 && per_page <= MAX_PER_PAGE;
    if (!isAllowed && !reply.ok) run.decideRejection('deliveries.per_page', request, reply);
    else if (run.decideSuccess('deliveries.per_page', request, reply)) {
      const size = Number(pagesOf(reply)['per_page']);
      const isApplied = size === per_page && rowsOf(reply).length <= per_page;
      const isWithin = size >= 1 && size <= MAX_PER_PAGE;
      run.decide('deliveries.per_page', isAllowed ? isApplied : isWithin, `${request}: per_page ${size}`);
    }
  }
}

function checkDelivery(run: Run, row: JsonObject): void {
  run.decideFields('delivery.fields', wrongFields(delivery, row), REQUEST);
  const sent = row['payload'];
  run.decideFields('events.body', wrongFields(payload, sent), `${REQUEST}, payload`);
  if (row['event'] !== DEFAULT_EVENT) return;
  run.decideFields(
    'result.payload',
    wrongFields(completedResult, Object(sent).data),
    `${REQUEST}, payload.data`,
  );
}

/** @param none A value that no delivery has, if there is one. */
async function checkFilter(
  run: Run,
  path: string,
  field: 'event' | 'status',
  value: unknown,
  none: string | undefined,
): Promise<void> {
  if (typeof value !== 'string') return;
  const claim = `deliveries.${field}` as const;
  const request = `${REQUEST}?${field}`;
  const found = await run.get(path, { [field]: value });
  if (!run.decideSuccess(claim, request, found)) return;
  const rows = rowsOf(found);
  const others = rows.filter((one) => one[field] !== value).length;
  const isLost = rows.length === 0 && field === 'status' && value !== 'delivered';
  const holds = isLost ? null : rows.length > 0 && others === 0;
  run.decide(claim, holds, `${request}: ${rows.length} deliveries, ${others} others`);
  if (none === undefined) return;
  const without = await run.get(path, { [field]: none });
  // An unknown value may be rejected, too.
  if (!without.ok) return run.decideRejection(claim, `${request}, unknown`, without);
  const left = rowsOf(without).filter((one) => one[field] !== none).length;
  run.decide(claim, left === 0, `${request}: ${left} deliveries that the filter excludes`);
}

/** Bodies of requests for a test delivery. */
const tests = [{}, { event: 'no.such_event' }, { event: DEFAULT_EVENT }];

/** Where deliveries go: nowhere, to a receiver of which only the records show something, or to this command. */
export type Destination = { readonly isReachable: boolean; readonly receiver: Receiver | null };

/** Test deliveries, from the request to the record, and to the receiver if there is one. */
export async function checkTestDeliveries(
  run: Run,
  id: number,
  secret: string | null,
  { isReachable, receiver }: Destination,
): Promise<void> {
  const path = `/webhooks/${id}/test`;
  const request = 'POST /webhooks/{id}/test';
  await run.send('PATCH', `/webhooks/${id}`, { is_active: false });
  run.decideRejection('test.active', `${request}, inactive`, await run.send('POST', path));
  await run.send('PATCH', `/webhooks/${id}`, { is_active: true });
  let queued = 0;
  for (const body of tests) {
    const reply = await run.send('POST', path, body);
    if (!run.decideSuccess('test.queued', request, reply)) continue;
    const isQueued = rowOf(reply)['queued'] === true;
    run.decide('test.queued', isQueued, `${request}: ${isQueued ? '' : 'not '}queued`);
    if (isQueued) queued += 1;
  }
  const rows = await waitForRecords(run, id, queued, isReachable);
  const others = rows.filter(({ event }) => event !== DEFAULT_EVENT).length;
  run.decide('events.recorded', rows.length >= queued, `${rows.length} of ${queued} deliveries are recorded`);
  const areQueued = queued === tests.length;
  run.decide(
    'test.default',
    areQueued && rows.length < queued ? null : areQueued && others === 0,
    `${queued} of ${tests.length} test deliveries are queued, ${others} of another event`,
  );
  if (isReachable) {
    const { length } = rows.filter(({ status }) => status === 'delivered');
    run.decide('delivery.delivered', length === rows.length, `${length} of ${rows.length} are delivered`);
  }
  await checkDeliveries(run, id);
  if (receiver !== null) checkSignatures(run, receiver.received, secret);
}

/** How long a service may take to record a delivery, and to send it. */
const MAX_WAIT_MS = 30_000;
/** Doubles with each poll, as a service may allow few requests a minute. */
const FIRST_WAIT_MS = 250;

/** The records, once they are all there and, if they can be, delivered. */
async function waitForRecords(
  run: Run,
  id: number,
  count: number,
  isReachable: boolean,
): Promise<JsonObject[]> {
  for (let pause = FIRST_WAIT_MS; ; pause *= 2) {
    const reply = await run.get(`/webhooks/${id}/deliveries`, { per_page: MAX_PER_PAGE });
    const rows = reply.ok ? rowsOf(reply) : [];
    const isDelivered = !isReachable || rows.every(({ status }) => status === 'delivered');
    if ((rows.length >= count && isDelivered) || pause > MAX_WAIT_MS / 2) return rows;
    await wait(pause, undefined, { signal: run.signal });
  }
}

const TOLERANCE_SECONDS = 300;

/** By the letter of the documentation, and apart from the verification that this package has for receivers. */
function checkSignatures(run: Run, received: readonly Received[], secret: string | null): void {
  if (received.length === 0) run.decide('signature.header', null, 'nothing arrived');
  for (const { header, body, at } of received) {
    const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    const form = mac === undefined ? 'missing, or of another form' : 'as documented';
    run.decide('signature.header', mac !== undefined, form);
    if (mac === undefined) continue;
    const age = Math.abs(at / 1000 - Number(time));
    run.decide(
      'signature.tolerance',
      age <= TOLERANCE_SECONDS,
      `${Math.round(age)} seconds from the present`,
    );
    if (secret === null) run.decide('signature.hmac', null, 'the secret is not known');
    else {
      const isRight = mac === computeSignature(secret, time, body);
      run.decide('signature.hmac', isRight, `the signature is ${isRight ? 'right' : 'wrong'}`);
    }
  }
}

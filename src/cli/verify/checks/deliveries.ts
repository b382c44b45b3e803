// Checks the claims about deliveries by triggering test deliveries and reading their records.

import { setTimeout as wait } from 'node:timers/promises';
import type { Received, Receiver } from '../receiver.ts';
import { computeSignature } from '../receiver.ts';
import { rowOf, rowsOf } from '../rows.ts';
import type { Run } from '../run.ts';
import { checkDeliveries } from './webhook-reads.ts';

const DEFAULT_EVENT = 'exam_result.completed';
const TOLERANCE_SECONDS = 300;
/** How long a service may take to record a delivery, and to send it. */
const LONGEST_MS = 30_000;
/** The wait before the second poll; it doubles, as a service may allow few requests a minute. */
const FIRST_POLL_MS = 250;

/** What a test delivery is, as it is asked for. */
const asked = [{}, { event: 'no.such_event' }, { event: DEFAULT_EVENT }];

/** Where deliveries go: to nobody, to a receiver that only its record tells of, or to this command. */
export type Destination = { readonly isReachable: boolean; readonly receiver: Receiver | null };

/** Test deliveries, from the question to the record, and to the receiver if there is one. */
export async function checkTestDeliveries(
  run: Run,
  id: number,
  secret: string | null,
  { isReachable, receiver }: Destination,
): Promise<void> {
  const path = `/webhooks/${id}/test`;
  await run.send('PATCH', `/webhooks/${id}`, { is_active: false });
  run.decideRefusal('test.active', 'POST /webhooks/{id}/test, inactive', await run.send('POST', path));
  await run.send('PATCH', `/webhooks/${id}`, { is_active: true });
  let queued = 0;
  for (const body of asked) {
    const reply = await run.send('POST', path, body);
    if (!run.decideSuccess('test.queued', 'POST /webhooks/{id}/test', reply)) continue;
    const isQueued = rowOf(reply)['queued'] === true;
    run.decide('test.queued', isQueued, `POST /webhooks/{id}/test: ${isQueued ? '' : 'not '}queued`);
    if (isQueued) queued += 1;
  }
  const rows = await recorded(run, id, queued, isReachable);
  const others = rows.filter(({ event }) => event !== DEFAULT_EVENT).length;
  run.decide('events.recorded', rows.length >= queued, `${rows.length} of ${queued} deliveries are recorded`);
  run.decide(
    'test.default',
    queued === asked.length && rows.length < queued ? null : queued === asked.length && others === 0,
    `${queued} of ${asked.length} test deliveries are queued, ${others} of another event`,
  );
  if (isReachable) {
    const delivered = rows.filter(({ status }) => status === 'delivered').length;
    run.decide(
      'delivery.delivered',
      delivered === rows.length,
      `${delivered} of ${rows.length} are delivered`,
    );
  }
  await checkDeliveries(run, id);
  if (receiver !== null) checkReceived(run, receiver.received, secret);
}

/** The records, once they are all there and, where they can arrive, have arrived. */
async function recorded(
  run: Run,
  id: number,
  count: number,
  isReachable: boolean,
): Promise<ReturnType<typeof rowsOf>> {
  for (let pause = FIRST_POLL_MS; ; pause *= 2) {
    const reply = await run.get(`/webhooks/${id}/deliveries`, { per_page: 100 });
    const rows = reply.ok ? rowsOf(reply) : [];
    const isDelivered = !isReachable || rows.every(({ status }) => status === 'delivered');
    if ((rows.length >= count && isDelivered) || pause > LONGEST_MS / 2) return rows;
    await wait(pause, undefined, { signal: run.signal });
  }
}

/** By the letter of the documentation, and apart from the verification that this package has for receivers. */
function checkReceived(run: Run, received: readonly Received[], secret: string | null): void {
  if (received.length === 0) run.decide('signature.header', null, 'nothing arrived');
  for (const { header, body, at } of received) {
    const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    run.decide(
      'signature.header',
      mac !== undefined,
      mac === undefined ? 'missing, or of another form' : 'as documented',
    );
    if (mac === undefined) continue;
    const age = Math.abs(at / 1000 - Number(time));
    run.decide(
      'signature.tolerance',
      age <= TOLERANCE_SECONDS,
      `${Math.round(age)} seconds from the present`,
    );
    const isRight = secret === null ? null : mac === computeSignature(secret, time, body);
    run.decide(
      'signature.hmac',
      isRight,
      secret === null ? 'the secret is not known' : `the signature is ${isRight ? 'right' : 'wrong'}`,
    );
  }
}

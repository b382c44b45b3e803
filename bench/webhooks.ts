import { createHmac, timingSafeEqual } from 'node:crypto';
import { signWebhook } from '../src/testing/sign.ts';
import { safeVerifyWebhook, verifyWebhook, verifyWebhookSignature } from '../src/webhooks/index.ts';
import { createPeers } from './webhook-peers.ts';

// Compares verification with the least that any verifier on Node has to do, and with the peers' verifiers, all measured
// in turns within one run: `npm run bench:webhooks`.

const secret = 'whsec_benchmark_0123456789abcdef';
const timestamp = 1_740_797_113;
const now = () => timestamp * 1000;
const options = { secret, now };
const rounds = 60;
const batch = 2_000;

/** An `exam_result.completed` event of about `size` bytes. */
function eventOf(size: number): string {
  const event = {
    event: 'exam_result.completed',
    created_at: '2025-03-01T09:45:13+07:00',
    data: {
      exam_result_id: 1,
      user_exam_id: 501,
      participant_code: 'P-0001',
      exam: { id: 1, name: 'Try out', name_short: 'TO-1' },
      exam_quiz: { id: 1, name: 'Verbal' },
      participant: { id: 1, name: 'Ana Putri', email: 'ana@example.test' },
      status: 2,
      status_label: 'Finished',
      score: 87.5,
      start_at: '2025-03-01T08:00:00+07:00',
      end_at: '2025-03-01T09:45:12+07:00',
      answers: Array<string>(0),
    },
  };
  while (JSON.stringify(event).length < size) event.data.answers.push(`answer ${event.data.answers.length}`);
  return JSON.stringify(event);
}

function floorOf(body: Uint8Array, header: string): () => unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return () => {
    const [t = '', v1 = ''] = header.split(',');
    const expected = createHmac('sha256', secret)
      .update(`${t.slice(2)}.`)
      .update(body)
      .digest();
    if (!timingSafeEqual(expected, Buffer.from(v1.slice(3), 'hex')))
      throw new Error('The floor does not verify.');
    return JSON.parse(text.toString());
  };
}

/** Fastest batch of each task in nanoseconds a call; the tasks take turns, so that all see the same machine. */
async function measure(
  tasks: Readonly<Record<string, () => unknown>>,
  size = batch,
): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = process.hrtime.bigint();
      for (let call = 0; call < size; call++) await task();
      const time = Number(process.hrtime.bigint() - start) / size;
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, time);
    }
  }
  return best;
}

async function compare(label: string, body: Uint8Array, calls: number): Promise<void> {
  const header = signWebhook({ body, secret, timestamp });
  const input = { body, headers: { 'content-type': 'application/json', 'x-cbt-signature': header } };
  const text = Buffer.from(body);
  const times = await measure(
    {
      floor: floorOf(body, header),
      'verifyWebhookSignature and JSON.parse': async () => {
        await verifyWebhookSignature(input, options);
        return JSON.parse(text.toString());
      },
      verifyWebhook: () => verifyWebhook(input, options),
      ...(await createPeers(body, secret)),
    },
    calls,
  );
  const { floor = Number.NaN, ...rest } = times;
  console.log(`${label}: floor ${Math.round(floor)} ns`);
  for (const [name, time] of Object.entries(rest)) {
    console.log(`  ${name}: ${Math.round(time)} ns, ${(time / floor).toFixed(2)} times the floor`);
  }
}

const encoder = new TextEncoder();
await compare('1 KiB', encoder.encode(eventOf(1024)), batch);
await compare('64 KiB', encoder.encode(eventOf(65_536)), 100);

const body = encoder.encode(eventOf(1024));
const fresh = signWebhook({ body, secret, timestamp });
const stale = signWebhook({ body, secret, timestamp: timestamp - 301 });
const refusals = await measure({
  'nothing (an async function)': async () => undefined,
  stale: () => safeVerifyWebhook({ body, headers: { 'x-cbt-signature': stale } }, options),
  malformed: () => safeVerifyWebhook({ body, headers: { 'x-cbt-signature': `${fresh},` } }, options),
  missing: () => safeVerifyWebhook({ body, headers: {} }, options),
});
for (const [name, time] of Object.entries(refusals)) console.log(`refused, ${name}: ${Math.round(time)} ns`);

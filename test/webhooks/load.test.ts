import { expect, test } from 'vitest';
import { signWebhook } from '../../src/testing/index.ts';
import { createMemoryStore, createWebhookHandler } from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { randomNumbers } from './delivery-lists.ts';
import { registered, secret } from './helpers.ts';

const random = randomNumbers(20_250_301);

/** A tenth is forged, and a tenth repeats one of the 200 before it, a third of them while that is in progress. */
const planned = Array.from({ length: longOrShort(20_000, 4_000) }, (_, number) => {
  const kind = (['forged', 'repeated'] as const)[Math.floor(random() * 10)] ?? 'genuine';
  const back = kind === 'repeated' ? Math.ceil(random() * 200) : 0;
  return { kind, number: Math.max(0, number - back) };
});

test('of many deliveries at once none is lost, none forged is handled, and none is handled twice', async () => {
  const handled: number[] = [];
  let calls = 0;
  const receive = createWebhookHandler({
    secret,
    onError: () => {},
    onRejected: () => {},
    on: {
      'exam_participant.registered': async ({ data }) => {
        calls += 1;
        await nextTurn();
        if (random() < 0.1) throw new Error('the handler fails at random');
        handled.push(Number(data['participant_id']));
      },
    },
    deduplication: { store: createMemoryStore({ maxEntries: 1_000 }), ttlSeconds: 3_600 },
  });
  const seen = new Set<string>();
  const queue = planned.values();
  const send = async () => {
    for (const { kind, number } of queue) {
      const body = registered({ participant_id: number });
      const key = kind === 'forged' ? `${secret}x` : secret;
      // As the service does: what is not acknowledged is sent again, signed anew.
      for (let status = 500; status >= 500; ) {
        const headers = { 'x-cbt-signature': signWebhook({ body, secret: key }) };
        ({ status } = await receive(new Request('http://receiver/', { method: 'POST', headers, body })));
        if (status < 500) seen.add(`${kind}: ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 64 }, send));
  expect(seen).toEqual(new Set(['genuine: 204', 'repeated: 204', 'forged: 400']));
  const accepted = planned.filter(({ kind }) => kind !== 'forged').map(({ number }) => number);
  expect(handled.toSorted((a, b) => a - b)).toEqual([...new Set(accepted)].toSorted((a, b) => a - b));
  expect(calls - handled.length).toBeGreaterThan(accepted.length / 20);
});

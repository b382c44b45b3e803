import { Agent, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { signWebhook } from '../../src/testing/index.ts';
import { createMemoryStore, createWebhookHandler, toNodeListener } from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import { measureHeap } from '../helpers/heap.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { listen } from '../helpers/server.ts';
import { randomNumbers } from './delivery-lists.ts';
import { registered, secret } from './helpers.ts';

const deliveries = longOrShort(20_000, 4_000);
const inFlight = 64;

const random = randomNumbers(20_250_301);

interface Delivery {
  readonly number: number;
  readonly body: string;
  readonly kind: 'genuine' | 'forged' | 'repeated';
}

/** A tenth is forged, and a tenth repeats one of the twenty before it, often while that is still in progress. */
function planDeliveries(): Delivery[] {
  const planned: Delivery[] = [];
  const genuine: Delivery[] = [];
  for (let number = 0; number < deliveries; number++) {
    const kind = random();
    const earlier = genuine.at(-1 - Math.floor(random() * Math.min(20, genuine.length)));
    if (kind < 0.1 && earlier) {
      planned.push({ ...earlier, kind: 'repeated' });
      continue;
    }
    const body = registered({ participant_id: number });
    const delivery: Delivery = { number, body, kind: kind < 0.2 ? 'forged' : 'genuine' };
    if (delivery.kind === 'genuine') genuine.push(delivery);
    planned.push(delivery);
  }
  return planned;
}

test('under load no delivery is lost, none forged is handled, and none is handled twice', async () => {
  const planned = planDeliveries();
  const successes = new Map<number, number>();
  let failures = 0;
  const handle = createWebhookHandler({
    secret,
    onError: () => {},
    on: {
      'exam_participant.registered': async ({ data }) => {
        await nextTurn();
        if (random() < 0.1) {
          failures++;
          throw new Error('the handler fails at random');
        }
        const number = Number(data['participant_id']);
        successes.set(number, (successes.get(number) ?? 0) + 1);
      },
    },
    deduplication: { store: createMemoryStore({ maxEntries: 1_000 }), ttlSeconds: 3_600 },
  });
  await using server = await listen(toNodeListener(handle));
  const { port } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });

  const post = (body: string, signature: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-cbt-signature': signature };
      const sent = httpRequest({ agent, port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(body);
    });

  /** Sends as the service does: whatever is not acknowledged is sent again, signed anew. */
  const deliver = async ({ body, kind }: Delivery): Promise<number | undefined> => {
    if (kind === 'forged') return post(body, signWebhook({ body, secret: `${secret}x` }));
    for (;;) {
      const status = await post(body, signWebhook({ body, secret }));
      if (status !== 500) return status;
    }
  };

  const responses: { readonly kind: Delivery['kind']; readonly status: number | undefined }[] = [];
  const heap: number[] = [];
  const queue = planned.values();
  const send = async () => {
    for (const delivery of queue) {
      responses.push({ kind: delivery.kind, status: await deliver(delivery) });
      if (responses.length % (deliveries / 4) === 0) heap.push(await measureHeap());
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send)).finally(() => agent.destroy());

  const seen = new Set(responses.map(({ kind, status }) => `${kind}: ${status}`));
  expect(responses).toHaveLength(deliveries);
  expect(seen).toEqual(new Set(['genuine: 204', 'repeated: 204', 'forged: 400']));
  const genuine = planned.filter(({ kind }) => kind === 'genuine');
  expect(new Set(successes.keys())).toEqual(new Set(genuine.map(({ number }) => number)));
  expect(new Set(successes.values())).toEqual(new Set([1]));
  expect(failures).toBeGreaterThan(genuine.length / 20);

  // The test's own lists grow by less than this; a receiver that kept its deliveries would need several times as much.
  const [early = 0] = heap;
  expect((heap.at(-1) ?? 0) - early).toBeLessThan(4 * 2 ** 20);
});

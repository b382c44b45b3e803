import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createClient, rejection } from '../helpers/client.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import { type Handler, startServer, type WireExchange } from '../helpers/server.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Node drops the signal of a `Request` that nobody holds any more, even while its response arrives. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    collect();
    await nextTurn();
  }
}

function startStalling() {
  const closed = createGate();
  const handler: Handler<WireExchange> = (_, { begin, response }) => {
    response.once('close', () => closed.open());
    return begin({}, '{"id":');
  };
  return { closed: closed.promise, started: startServer(handler) };
}

test('an abort that comes late closes the connection of a stalled body', async () => {
  const { closed, started } = startStalling();
  await using server = await started;
  const responded = createGate();
  const controller = new AbortController();
  const client = createClient(server, { hooks: { onResponse: () => responded.open() } });
  const call = rejection(client.exams.retrieve(3, { signal: controller.signal }));
  await responded.promise;
  await collectGarbage();
  controller.abort('stop');
  expect(await call).toBe('stop');
  await closed;
});

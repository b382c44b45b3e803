// Collects the examples of openapi.json by asking an emulator.

import { createEmulator, createManualClock, type Emulator } from '../../src/testing/index.ts';
import type { Documentation, Sent } from './documentation/group.ts';
import { documentation } from './documentation.ts';
import { free, pair, receiver, row } from './samples.ts';

/** Responses and deliveries of the emulator. */
export interface Examples {
  /** By the id of the operation and the status, or `default`. */
  readonly responses: ReadonlyMap<string, unknown>;
  /** Bodies of deliveries, by event. */
  readonly deliveries: ReadonlyMap<string, unknown>;
}

/**
 * What the emulator really sends and delivers, the same each time.
 *
 * @throws {Error} when a response does not have the status that it is an example of
 */
export async function collectExamples(
  documented: Readonly<Record<string, Pick<Documentation, 'example' | 'rejected'>>> = documentation,
): Promise<Examples> {
  const responses = new Map<string, unknown>();
  for (const [id, { example: sent, rejected = {} }] of Object.entries(documented)) {
    if (sent === undefined) continue;
    const keep = async (
      expected: RegExp,
      sent: Sent,
      change?: (emulator: Emulator) => unknown,
      apiKey?: string,
    ) => {
      const { emulator } = await prepare();
      change?.(emulator);
      const { status, body } = await call(emulator, sent, apiKey);
      if (!expected.test(status))
        throw new Error(`${id}: ${sent.send} got ${status} as an example of ${expected.source}.`);
      responses.set(`${id} ${status === '503' ? 'default' : status}`, body);
    };
    await keep(/2../, sent);
    for (const [status, other] of Object.entries(rejected)) await keep(new RegExp(status), other);
    await keep(/401/, sent, undefined, 'not-the-key');
    await keep(/403/, sent, ({ control }) => control.setClientActive(false));
    await keep(/500/, sent, failWith(500, 'Server Error'));
    await keep(/503/, sent, failWith(503, 'Service Unavailable'));
  }
  return { responses, deliveries: await deliveries() };
}

const failWith =
  (status: number, message: string) =>
  ({ faults }: Emulator) =>
    faults.inject({ effect: 'respond', status, body: { message } });

async function deliveries(): Promise<ReadonlyMap<string, unknown>> {
  const { emulator, delivered } = await prepare();
  const { control } = emulator;
  await call(emulator, { send: 'POST /exam-participants/assign', body: free });
  await call(emulator, { send: 'POST /exam-participants/unassign', body: free });
  control.startExam(pair);
  const { id } = control.finishExam({ ...pair, score: 87.5 });
  control.rescore(id, 91);
  await emulator.settled();
  return delivered;
}

/** An emulator with a participant, an exam, a result, and a receiver of all events. */
async function prepare() {
  const delivered = new Map<string, unknown>();
  const emulator = createEmulator({
    clock: createManualClock(),
    async fetch(_, { body }) {
      const event = JSON.parse(String(body));
      delivered.set(event.event, event);
      return new Response('OK');
    },
  });
  const { control } = emulator;
  control.seedParticipants([
    { id: 7, name: row.name, email: row.email },
    { id: 8, name: 'Grace Hopper', email: 'grace@example.test' },
  ]);
  control.seedExams([
    { id: 3, name: 'Analysis I' },
    { id: 4, name: 'Mechanics' },
  ]);
  control.seedResults([{ participant_id: 8, exam_id: 3, score: 87.5 }]);
  control.seedAssignments([pair]);
  const { available_events } = Object((await call(emulator, { send: 'GET /webhooks' })).body).meta;
  const body = { ...receiver, events: Object.keys(available_events) };
  await call(emulator, { send: 'POST /webhooks', body });
  await call(emulator, { send: 'POST /webhooks/1/test' });
  await emulator.settled();
  return { emulator, delivered };
}

async function call(emulator: Emulator, { send, body }: Sent, apiKey = 'test-key') {
  const [method = '', path = ''] = send.split(' ');
  const response = await emulator.fetch(`http://localhost/api/v1${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(path.startsWith('/webhooks') ? { Authorization: `Bearer ${apiKey}` } : { 'X-Client-Key': apiKey }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: String(response.status), body: JSON.parse(withoutChance(await response.text())) };
}

/** Random values would make a different document every time. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0f8b1c52-6d3e-4a97-b1c0-5e2f7a9d4c31')
    .replaceAll(/[0-9a-f]{40,}/g, '5d0c7e41f2a89b63'.repeat(3));
}

import { createEmulator, createManualClock, type Emulator } from '../../src/testing/index.ts';

/** Answers and deliveries of the emulator. */
export interface Examples {
  /** By the id of the operation and the status, or `default`. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Bodies of requests, by the id of the operation. */
  readonly requests: ReadonlyMap<string, unknown>;
  /** Bodies of deliveries, by event. */
  readonly deliveries: ReadonlyMap<string, unknown>;
}

interface Sent {
  readonly send: string;
  readonly body?: unknown;
}

const pair = { participant_id: 7, exam_id: 3 };
const free = { participant_id: 8, exam_id: 4 };
const nobody = { participant_id: 99, exam_id: 3 };
const receiver = { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed'] };
const row = { email: 'ada@example.test', name: 'Ada Lovelace', password: 'correct-horse-battery' };

/** A successful request for each operation. */
const accepted: Readonly<Record<string, Sent>> = {
  'participants.import': { send: 'POST /participants/import', body: { participants: [row] } },
  'participants.list': { send: 'GET /participants' },
  'participants.retrieve': { send: 'GET /participants/7' },
  'participants.update': { send: 'PUT /participants/7', body: { name: 'Ada King' } },
  'examParticipants.assign': { send: 'POST /exam-participants/assign', body: free },
  'examParticipants.unassign': { send: 'POST /exam-participants/unassign', body: pair },
  'examParticipants.link': { send: 'GET /exam-participants/link?participant_id=7&exam_id=3' },
  'exams.list': { send: 'GET /exams' },
  'exams.retrieve': { send: 'GET /exams/3' },
  'examResults.list': { send: 'GET /exam-results' },
  'webhooks.list': { send: 'GET /webhooks' },
  'webhooks.create': { send: 'POST /webhooks', body: { ...receiver, description: 'Results' } },
  'webhooks.update': { send: 'PATCH /webhooks/1', body: { description: 'Results of the spring exams' } },
  'webhooks.delete': { send: 'DELETE /webhooks/1' },
  'webhooks.deliveries': { send: 'GET /webhooks/1/deliveries' },
  'webhooks.test': { send: 'POST /webhooks/1/test', body: { event: 'exam_result.completed' } },
};

/** Requests that the service refuses. */
const refused: Readonly<Record<string, Readonly<Record<number, Sent>>>> = {
  'participants.import': {
    400: { send: 'POST /participants/import', body: '{' },
    422: { send: 'POST /participants/import', body: { participants: [{ name: 'Ada' }] } },
  },
  'participants.retrieve': { 404: { send: 'GET /participants/99' } },
  'participants.update': {
    404: { send: 'PUT /participants/99', body: { name: 'Nobody' } },
    422: { send: 'PUT /participants/7', body: { name: '' } },
  },
  'examParticipants.assign': {
    400: { send: 'POST /exam-participants/assign', body: pair },
    404: { send: 'POST /exam-participants/assign', body: nobody },
    422: { send: 'POST /exam-participants/assign', body: {} },
  },
  'examParticipants.unassign': {
    400: { send: 'POST /exam-participants/unassign', body: free },
    404: { send: 'POST /exam-participants/unassign', body: nobody },
    422: { send: 'POST /exam-participants/unassign', body: {} },
  },
  'examParticipants.link': {
    404: { send: 'GET /exam-participants/link?participant_id=8&exam_id=4' },
  },
};

/** Collects what the emulator actually answers and delivers; the same every time. */
export async function collectExamples(): Promise<Examples> {
  const answers = new Map<string, unknown>();
  const requests = new Map<string, unknown>();
  for (const [id, sent] of Object.entries(accepted)) {
    const keep = async (
      sent: Sent,
      as?: string,
      change?: (emulator: Emulator) => unknown,
      apiKey?: string,
    ) => {
      const { emulator } = await prepare();
      change?.(emulator);
      const { status, body } = await call(emulator, sent, apiKey);
      answers.set(`${id} ${as ?? status}`, body);
    };
    if (sent.body !== undefined) requests.set(id, sent.body);
    await keep(sent);
    for (const [status, other] of Object.entries(refused[id] ?? {})) await keep(other, status);
    await keep(sent, '401', undefined, 'not-the-key');
    await keep(sent, '403', ({ control }) => control.setClientActive(false));
    await keep(sent, '500', failWith(500, 'Server Error'));
    await keep(sent, 'default', failWith(503, 'Service Unavailable'));
  }
  return { answers, requests, deliveries: await deliveries() };
}

const failWith =
  (status: number, message: string) =>
  ({ faults }: Emulator) =>
    faults.inject({ effect: { type: 'respond', status, body: { message } } });

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
  return { status: response.status, body: JSON.parse(withoutChance(await response.text())) };
}

/** Random values would make a different document every time. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0f8b1c52-6d3e-4a97-b1c0-5e2f7a9d4c31')
    .replaceAll(/[0-9a-f]{40,}/g, '5d0c7e41f2a89b63'.repeat(3));
}

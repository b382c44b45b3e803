import { expect, test } from 'vitest';
import type { ExamClient } from '../../src/index.ts';
import { openTelemetry } from '../../src/opentelemetry/index.ts';
import { createEmulator, type Fault } from '../../src/testing/index.ts';
import { clientOf } from '../helpers/client.ts';
import { skipWaits } from '../helpers/fake-time.ts';
import { nextTurn } from '../helpers/gate.ts';
import { injectAtRandom } from '../helpers/random-faults.ts';
import { createTelemetry, withGlobals } from './telemetry.ts';

skipWaits();
withGlobals();

const apiKey = 'key-of-the-faults-91';
const people = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  email: `zenobia${index}@people.example`,
  name: `Zenobia Quill ${index}`,
  password: `opal-heron-${index}`,
}));
const exams = [{ id: 1, name: 'Thaumatology', name_short: 'THAUM' }];

const faults: readonly (readonly [share: number, fault: Fault])[] = [
  [0.05, { effect: 'respond', status: 500, body: { message: people[3]?.email } }],
  [0.05, { effect: 'reset' }],
  [0.05, { effect: 'reset-body' }],
  [0.05, { effect: 'html' }],
  [0.05, { effect: 'truncate' }],
  [0.03, { effect: 'redirect', to: `/login?user=${people[4]?.email}` }],
  [0.03, { effect: 'respond', status: 429, headers: { 'Retry-After': '0' } }],
];

/** A call of every kind: read, search, change, iterate, reject, abort. */
const kinds: ((client: ExamClient, person: (typeof people)[number]) => PromiseLike<unknown>)[] = [
  (client, { id }) => client.participants.retrieve(id),
  (client, { email }) => client.participants.list({ limit: 5 }, { query: { email } }),
  (client, { id, ...row }) => client.participants.import([row]),
  (client, { id, name, password }) => client.participants.update(id, { name, password }),
  (client, { id }) => client.examParticipants.ensure({ participant_id: id, exam_id: 1 }, { link: true }),
  (client) => client.participants.list({ limit: 10 }, { concurrency: 8 }).toArray({ maxItems: 40 }),
  (client) => client.participants.retrieve(0),
  (client, { email }) => client.participants.list({}, { signal: AbortSignal.abort(email) }),
  (client, { email }) =>
    client.request({ method: 'GET', path: `/find/${email}`, auth: 'bearer', query: { email } }),
];

test('after 1,000 calls under faults no span is open, and none holds a secret or a person', async () => {
  const emulator = createEmulator({ apiKey });
  emulator.control.seedParticipants(people);
  emulator.control.seedExams(exams);
  injectAtRandom(emulator, { seed: 7, requests: 4_000 }, faults);
  const telemetry = createTelemetry();
  const hooks = openTelemetry(telemetry.providers);
  const client = clientOf(emulator, { hooks, validation: 'report', maxRetries: 2 });
  const outcomes = { done: 0, failed: 0 };
  for (let call = 0; call < 1_000; call += 1) {
    const person = people[call % people.length];
    const kind = kinds[call % kinds.length];
    if (person === undefined || kind === undefined) throw new Error('There is nobody to call for.');
    await kind(client, person).then(
      () => (outcomes.done += 1),
      () => (outcomes.failed += 1),
    );
  }
  await nextTurn();

  expect(outcomes.done).toBeGreaterThan(400);
  expect(outcomes.failed).toBeGreaterThan(300);
  expect(telemetry.roots.length).toBeGreaterThan(1_000);
  expect(telemetry.open).toBe(0);

  const names = ['http.client.request.duration', 'exam_service.client.retries', 'exam_service.client.pauses'];
  const metrics = await Promise.all(names.map((name) => telemetry.points(name)));
  const text = telemetry.printed(...metrics.flat());
  expect(text).not.toMatch(new RegExp(`${apiKey}|zenobia|quill|opal|heron|thaum|people\\.example`, 'i'));
  expect(text).toContain('email=REDACTED');
});

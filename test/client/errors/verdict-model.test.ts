import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type ExamClient, ExamServiceError, type Fetch } from '../../../src/index.ts';
import { createClient, nowhere } from '../../helpers/client.ts';
import { skipWaits, startFakeTime } from '../../helpers/fake-time.ts';
import { numRuns } from '../../helpers/requirements.ts';

skipWaits();

/** What a service does with one request: whether it carries it out, and what its client gets to see of that. */
interface Behaviour {
  readonly takesEffect: boolean;
  readonly answer: () => Promise<Response>;
}

const json = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const page = async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
const cut = async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"mess'));
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { status: 201 });
};
const broken = (code: string) => () =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));
const silence = () => new Promise<Response>(() => {});
const located = (status: number) => async () =>
  new Response(null, { status, headers: { Location: 'https://h.test/elsewhere' } });

const did = (answer: Behaviour['answer']): Behaviour => ({ takesEffect: true, answer });
const didNot = (answer: Behaviour['answer']): Behaviour => ({ takesEffect: false, answer });
const either = (answer: Behaviour['answer']) => [did(answer), didNot(answer)];

/** Everything that a service, a proxy or the network may do; a rejection and a success are what they say. */
const behaviours: readonly Behaviour[] = [
  did(json(201, { message: 'Assigned' })),
  did(json(200, { success: true, error: 'No mail was sent' })),
  did(json(200, { message: 'Assigned', error: [] })),
  did(cut),
  didNot(json(200, { error: 'Exam is full' })),
  didNot(json(200, { success: 0 })),
  ...[400, 401, 404, 422, 429, 503].map((status) => didNot(json(status, {}))),
  ...[301, 307, 308].map((status) => didNot(located(status))),
  didNot(broken('ECONNREFUSED')),
  didNot(broken('ENOTFOUND')),
  ...[302, 303].flatMap((status) => either(located(status))),
  ...[408, 500, 501, 502, 504, 520].flatMap((status) => either(json(status, {}))),
  ...either(page),
  ...either(broken('ECONNRESET')),
  ...either(silence),
];

const operations = {
  assign: (client: ExamClient) => client.examParticipants.assign({ participant_id: 7, exam_id: 3 }),
  import: (client: ExamClient) =>
    client.participants.import([{ email: 'ada@example.test', name: 'Ada', password: 'password-1' }]),
};

startFakeTime();

/** Calls, and moves the clock until the call has ended. */
async function settle(call: Promise<unknown>): Promise<unknown> {
  let isEnded = false;
  const ended = call.then(
    () => null,
    (error: unknown) => error,
  );
  void ended.then(() => {
    isEnded = true;
  });
  while (!isEnded) await vi.advanceTimersByTimeAsync(1_000);
  return ended;
}

test.each(['assign', 'import'] as const)(
  'a verdict on %s is never wrong, whatever the service does',
  async (name) => {
    const plan = fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plan, fc.nat({ max: 2 }), async (planned, maxRetries) => {
        let effects = 0;
        const left = planned.values();
        const fetch: Fetch = () => {
          const { takesEffect, answer } = left.next().value ?? did(json(201, {}));
          if (takesEffect) effects += 1;
          return answer();
        };
        const client = createClient(nowhere, { fetch, maxRetries, timeout: 2_000 });
        for (let calls = 0, before = 0; calls < 8; calls += 1, before = effects) {
          const error = await settle(operations[name](client));
          if (error === null) {
            expect(effects).toBeGreaterThan(before);
            break;
          }
          if (!(error instanceof ExamServiceError)) throw error;
          const happened = effects > before;
          if (error.outcome === 'rejected' || error.outcome === 'not_sent') expect(happened).toBe(false);
          if (error.outcome === 'done') expect(happened).toBe(true);
          if (!error.retryable) break;
        }
        // Repeating while the error says so never assigns twice.
        if (name === 'assign') expect(effects).toBeLessThanOrEqual(1);
      }),
      { numRuns: numRuns(300) },
    );
  },
);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { styles } from '../emulator/client-service.ts';
import { bearer, bearerOperations, clientKey, clientKeyOperations } from '../emulator/helpers.ts';
import { responseProblems, templateOf } from './contract.ts';

/** Whatever is sent, the emulator responds with a status and a body that openapi.json allows, and never fails. */

/** Each of the styles gets so many sequences, of so many requests each: 2,250 together. */
const SEQUENCES = 25;
const LENGTH = 10;

const operations = [...clientKeyOperations, ...bearerOperations];
/** Mostly what is right, so that requests come far; else anything. */
const mostly = <Right, Wrong>(right: fc.Arbitrary<Right>, wrong: fc.Arbitrary<Wrong>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: wrong });

const ids = mostly(
  fc.constantFrom('1', '2'),
  fc.constantFrom('0', '01', '-1', '9007199254740993', 'x', '1.5', '%2F', '%00'),
);
const email = mostly(
  fc.constantFrom('a@example.test', 'zoë@example.test'),
  fc.constantFrom('no address', ''),
);
const word = mostly(fc.string({ unit: 'binary', minLength: 1 }), fc.jsonValue());
const person = fc.record(
  { email, name: word, password: word, role: word },
  { requiredKeys: ['email', 'name', 'password'] },
);
const event = fc.constantFrom('exam_result.completed', 'exam_participant.registered', 'exam.archived');
const number = mostly(fc.constantFrom(1, 2), fc.constantFrom(0, -1, 1.5, 1e300, '1', null));
const values = {
  participants: mostly(fc.array(person, { maxLength: 3 }), fc.jsonValue()),
  name: word,
  participant_id: number,
  exam_id: number,
  url: mostly(fc.webUrl(), fc.constantFrom('ftp://receiver.example.test/', 'receiver')),
  events: mostly(fc.constant(['exam_result.completed']), fc.array(event)),
  description: fc.option(fc.string({ maxLength: 300 })),
  is_active: fc.boolean(),
  rotate_secret: fc.boolean(),
  event,
};
const fields = mostly(fc.record(values), fc.record(values, { requiredKeys: [] }));
const body = mostly(
  fields.map((value) => JSON.stringify(value)),
  fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array()),
);
const query = fc.dictionary(
  fc.constantFrom('page', 'limit', 'per_page', 'participant_id', 'exam_id', 'event', 'status', 'other'),
  mostly(fc.oneof(ids, fc.constantFrom('', '100', '101', 'delivered')), fc.string()),
  { maxKeys: 3 },
);
const request = fc.record({
  operation: fc.constantFrom(...operations),
  id: ids,
  query,
  body,
  type: mostly(fc.constant('application/json'), fc.constant('text/plain')),
  keys: mostly(fc.constant({ ...clientKey, ...bearer }), fc.constant({ 'X-Client-Key': 'wrong' })),
});

test.each(styles)('in the style %s', async (style) => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: LENGTH, maxLength: LENGTH }), async (requests) => {
      const emulator = createEmulator({ style, fetch: async () => new Response(null, { status: 204 }) });
      emulator.control.seedParticipants(2);
      emulator.control.seedExams(2);
      emulator.control.seedResults([{ participant_id: 1, exam_id: 1, score: 70 }]);
      for (const { operation, id, query: parameters, body: content, type, keys } of requests) {
        const [method, template] = operation;
        const path = template.replace('1', id);
        const address = `https://service.example.test/api/v1${path}?${new URLSearchParams(parameters)}`;
        const hasBody = method !== 'GET' && method !== 'DELETE';
        const response = await emulator.fetch(address, {
          method,
          headers: { ...keys, 'Content-Type': type },
          ...(hasBody && { body: typeof content === 'string' ? content : new Uint8Array(content) }),
        });
        expect(response.status, `${method} ${path}`).toBeLessThan(500);
        // PUT is accepted for a webhook endpoint, too, and described as PATCH.
        const described = method === 'PUT' && templateOf(path).startsWith('/webhooks') ? 'PATCH' : method;
        expect(responseProblems(described, path, response.status, await response.json())).toEqual([]);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
      await emulator.settled();
    }),
    { seed: 1, numRuns: SEQUENCES },
  );
  expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(SEQUENCES * LENGTH);
  expect([...statuses.keys()].sort()).toEqual([200, 201, 400, 401, 404, 422]);
});

import { expect, test } from 'vitest';
import { createEmulator, signedWebhook } from '../../src/testing/index.ts';
import { createMswHandlers } from '../../src/testing/msw.ts';

const secret = 'whsec_example';
const respond = { type: 'respond', status: 503 };

/** What plain JavaScript lets through, and what the message says about it. */
const mistakes: Readonly<Record<string, readonly [act: () => unknown, message: string]>> = {
  'an option that it does not have': [
    () => createEmulator({ apikey: 'key' } as never),
    'An emulator has no option `apikey` (did you mean `apiKey`?).',
  ],
  'a setting that it does not have': [
    () => createEmulator().control.configure({ styles: 'bare' } as never),
    'An emulator has no option `styles` (did you mean `style`?).',
  ],
  'a fault of an operation that there is not': [
    () => createEmulator().faults.inject({ on: 'exam.list', effect: respond } as never),
    'This fault cannot strike exam.list: `on` takes names such as exams.list.',
  ],
  'one of several operations misspelt': [
    () => createEmulator().faults.inject({ on: ['exams.list', 'exams.get'], effect: respond } as never),
    'This fault cannot strike exams.get: `on`',
  ],
  'a fault of a delivery under the name of an operation': [
    () => createEmulator().faults.injectDelivery({ on: 'webhooks.test', effect: 'duplicate' } as never),
    'This fault cannot strike webhooks.test: `on` takes names such as exam_',
  ],
  'a fault without an effect': [
    () => createEmulator().faults.inject({ on: 'exams.list', status: 503 } as never),
    'A fault needs an `effect` or a `delay`.',
  ],
  'a fault with a field that faults do not have': [
    () => createEmulator().faults.inject({ operation: 'exams.list', effect: respond } as never),
    'A fault has no field `operation`.',
  ],
  'a fault whose effect there is not': [
    () => createEmulator().faults.inject({ effect: { type: 'timeout' } } as never),
    'A fault has no effect {"type":"timeout"}.',
  ],
  'a fault with a status that no answer has': [
    () => createEmulator().faults.inject({ effect: { type: 'respond', status: 700 } }),
    'must be in the range of 200 to 599',
  ],
  'a field that a seed does not have': [
    () => createEmulator().control.seedExams([{ name: 'Algebra' }, { title: 'Botany' }] as never),
    'exams, row 2: There is no field `title`. It takes id, name, name_short, quiz_name.',
  ],
  'a misspelt field of a seed': [
    () => createEmulator().control.seedParticipants([{ mail: 'ana@example.com' }] as never),
    'participants, row 1: There is no field `mail` (did you mean `email`?).',
  ],
  'a number of records that is none': [
    () => createEmulator().control.seedParticipants(Number('many')),
    'participants must be a list of rows, not NaN.',
  ],
  'a single record in place of a list': [
    () => createEmulator().control.seedExams({ name: 'Algebra' } as never),
    'exams must be a list of rows, not [object Object].',
  ],
  'a delivery without a secret': [
    () => signedWebhook({ body: '{}' } as never),
    '`secret` must be the signing secret of the endpoint, a string.',
  ],
  'a delivery whose body is an object': [
    () => signedWebhook({ secret, body: { event: 'exam_result.completed' } } as never),
    '`body` must be what is sent, a string or bytes: use JSON.stringify(event).',
  ],
  'handlers without an emulator': [
    () => createMswHandlers({ baseUrl: 'https://exams.example.com/api/v1' } as never),
    'createMswHandlers() takes an emulator, and then its options.',
  ],
};

test.each(Object.entries(mistakes))('%s is refused where it is made', (_, [act, message]) => {
  expect(act).toThrow(message);
});

test('an empty host, which would be every address, is refused', async () => {
  await expect(createEmulator().listen({ host: '' })).rejects.toThrow('The host of an emulator is empty.');
});

test('a refused fault is not kept', () => {
  const { faults } = createEmulator();
  expect(() => faults.inject({ on: 'exam.list', effect: respond } as never)).toThrow(TypeError);
  expect(faults.waiting).toEqual([]);
});

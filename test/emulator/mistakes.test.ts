import { expect, test } from 'vitest';
import { createEmulator, signedWebhook } from '../../src/testing/index.ts';
import { createMswHandlers } from '../../src/testing/msw.ts';

const secret = 'whsec_example';
const respond = { effect: 'respond', status: 503 };

/** What plain JavaScript lets through, and what the message says about it. */
const mistakes: Readonly<Record<string, readonly [act: () => unknown, message: string]>> = {
  'an option that it does not have': [
    () => createEmulator({ apikey: 'key' } as never),
    'Unknown option `apikey` (did you mean `apiKey`?).',
  ],
  'an option that is like none': [
    () => createEmulator({ zzz: 1 } as never),
    'Unknown option `zzz`: use style, importResponse, scoreFormat, ',
  ],
  'a setting that it does not have': [
    () => createEmulator().control.configure({ styles: 'bare' } as never),
    'Unknown option `styles` (did you mean `style`?).',
  ],
  'a state of imported participants that there is not': [
    () => createEmulator({ importedParticipants: { verifed: false } as never }),
    'Unknown field `verifed` (did you mean `verified`?).',
  ],
  'an option of listen() that there is not': [
    () => createEmulator().listen({ allowedHosts: ['emulator'] } as never),
    'Unknown option `allowedHosts` (did you mean `allowHosts`?).',
  ],
  'a port in place of the options of listen()': [
    () => createEmulator().listen(4010 as never),
    'Pass the options as one object: { port, host, allowHosts }.',
  ],
  'the name of an operation in place of a fault': [
    () => createEmulator().faults.inject('exams.list' as never),
    'Pass the fields as one object: { on, skip, times, effect, ',
  ],
  'one of several operations misspelt': [
    () => createEmulator().faults.inject({ on: ['exams.list', 'exams.get'], ...respond } as never),
    'Unknown operation `exams.get` (did you mean `exams.list`?).',
  ],
  'a fault of a delivery under the name of an operation': [
    () => createEmulator().faults.injectDelivery({ on: 'webhooks.test', effect: 'duplicate' } as never),
    'Unknown event `webhooks.test`: use exam_participant.registered, ',
  ],
  'a fault without an effect': [
    () => createEmulator().faults.inject({ on: 'exams.list' }),
    'A fault needs an `effect` or a `delay`.',
  ],
  'a fault with a field that faults do not have': [
    () => createEmulator().faults.inject({ operation: 'exams.list', ...respond } as never),
    'Unknown field `operation`: use on, skip, times, effect, delay, processed, status, body, headers, to.',
  ],
  'a fault with a field of another effect': [
    () => createEmulator().faults.inject({ effect: 'reset', status: 503 }),
    'The field `status` goes with the effect respond, html, redirect, not with reset.',
  ],
  'a number of requests to skip that is none': [
    () => createEmulator().faults.inject({ ...respond, skip: -1 } as never),
    'A fault skips a whole number of 0 or more, not -1.',
  ],
  'a fault of deliveries whose effect there is not': [
    () => createEmulator().faults.injectDelivery({ effect: 'duplicates' } as never),
    'Unknown effect `duplicates` (did you mean `duplicate`?).',
  ],
  'a misspelt field of a seed': [
    () => createEmulator().control.seedParticipants([{ mail: 'ana@example.com' }] as never),
    'participants, row 1: Unknown field `mail` (did you mean `email`?).',
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
  'an option of handlers that there is not': [
    () => createMswHandlers(createEmulator(), { baseURL: 'https://exams.example.com/api/v1' } as never),
    'Unknown option `baseURL` (did you mean `baseUrl`?).',
  ],
  'handlers without an emulator': [
    () => createMswHandlers({ baseUrl: 'https://exams.example.com/api/v1' } as never),
    'createMswHandlers() takes an emulator, and then its options.',
  ],
};

test.each(Object.entries(mistakes))('%s is rejected where it is made', async (_, [act, message]) => {
  await expect(async () => act()).rejects.toThrow(message);
});

test('an empty host, which would be every address, is rejected', async () => {
  await expect(createEmulator().listen({ host: '' })).rejects.toThrow('The host of an emulator is empty.');
});

test('a rejected fault is not kept', () => {
  const { faults } = createEmulator();
  expect(() => faults.inject({ on: 'exam.list', ...respond } as never)).toThrow(TypeError);
  expect(faults.waiting).toEqual([]);
});

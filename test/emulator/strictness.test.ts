import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  at,
  bearer,
  clientKey,
  createEndpoint,
  createReceiver,
  fieldErrors,
  pair,
  type Service,
  startService,
  startWithPair,
} from './helpers.ts';

/** The emulator refuses everything that the service is documented to refuse. */

/** Every operation with a body. */
const withBodies: [method: string, path: string][] = [
  ['POST', '/participants/import'],
  ['PUT', '/participants/1'],
  ['POST', '/exam-participants/assign'],
  ['POST', '/exam-participants/unassign'],
  ['POST', '/webhooks'],
  ['PATCH', '/webhooks/1'],
  ['PUT', '/webhooks/1'],
  ['POST', '/webhooks/1/test'],
];

const events = ['exam_result.completed'];

async function startWithEndpoint(): Promise<Service> {
  const service = await startWithPair();
  await createEndpoint(service, events);
  return service;
}

function send(service: Service, method: string, path: string, body: BodyInit, type?: string) {
  return fetch(service.url + path, {
    method,
    body,
    headers: { ...clientKey, ...bearer, ...(type === undefined ? {} : { 'Content-Type': type }) },
  });
}

describe.each(withBodies)('%s %s', (method, path) => {
  test.each(['"{\\"name\\":\\"Ana\\"}"', 'true', '5', 'null', '[]', '[{"name":"Ana"}]'])(
    'answers 422 to %s, which is no object',
    async (body) => {
      await using service = await startWithEndpoint();
      const answer = await service.call(method, path, { body });
      expect(answer.status).toBe(422);
      expect(fieldErrors(answer)).toEqual({ body: ['The body must be an object.'] });
    },
  );

  test.each([
    ['JSON that is cut short', '{"name":'],
    ['a byte order mark', '\uFEFF{}'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('answers 400 to %s', async (_what, body) => {
    await using service = await startWithEndpoint();
    const answer = await send(service, method, path, body, 'application/json');
    expect(answer.status).toBe(400);
    expect(at(await answer.json(), 'message')).toBe('Invalid JSON.');
  });
});

test.each([
  [undefined, 422],
  ['text/plain', 422],
  ['application/x-www-form-urlencoded', 422],
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/vnd.api+json', 201],
])('a body of the type %s is answered %i: it has fields only where it is JSON', async (type, status) => {
  await using service = await startWithPair();
  const body = new TextEncoder().encode(JSON.stringify(pair));
  expect((await send(service, 'POST', '/exam-participants/assign', body, type)).status).toBe(status);
});

test('a change that is not sent as JSON changes nothing', async () => {
  await using service = await startWithPair();
  const answer = await send(service, 'PUT', '/participants/1', '{"name":"Ana"}', 'text/plain');
  expect(answer.status).toBe(200);
  expect(service.emulator.control.participant(1)?.name).toBe('Participant 1');
});

test.each(['/participants/01', '/exams/01', '/participants/+1', '/exams/0x1'])(
  '%s is no id: 404',
  async (path) => {
    await using service = await startWithPair();
    expect((await service.call('GET', path)).status).toBe(404);
  },
);

test.each([
  ['/exam-results?participant_id=-1', 'participant_id'],
  ['/exam-results?exam_id=0', 'exam_id'],
  ['/exam-results?exam_id=01', 'exam_id'],
  ['/exams?page=01', 'page'],
  ['/exams?limit=1e1', 'limit'],
  ['/exam-participants/link?participant_id=01&exam_id=1', 'participant_id'],
])('%s is answered 422 for %s', async (path, field) => {
  await using service = await startWithPair();
  const answer = await service.call('GET', path);
  expect(answer.status).toBe(422);
  expect(Object.keys(fieldErrors(answer))).toEqual([field]);
});

test('an empty page of deliveries is from 0 to 0, as the document says integers', async () => {
  await using service = await startWithEndpoint();
  const { json } = await service.call('GET', '/webhooks/1/deliveries');
  expect(at(json, 'meta', 'pagination')).toEqual({
    total: 0,
    per_page: 25,
    current_page: 1,
    last_page: 1,
    from: 0,
    to: 0,
  });
});

test('no delivery with a slash or a letter beyond ASCII verifies once its body was parsed and written again', async () => {
  const receiver = createReceiver();
  await using service = await startService({ fetch: receiver.fetch });
  const { control } = service.emulator;
  const names = ['Zoë', 'a/b', '😀', '日本', '</script>', 'Ana'];
  control.seedParticipants(names.map((name) => ({ name })));
  control.seedExams(names.map((name) => ({ name })));
  const all = [
    'exam_participant.registered',
    'exam_participant.unregistered',
    ...events,
    'exam_result.scored',
  ];
  const { id, secret } = await createEndpoint(service, all);
  for (const [index] of names.entries()) {
    const ids = { participant_id: index + 1, exam_id: index + 1 };
    await service.call('POST', '/exam-participants/assign', { body: ids });
    await service.call('POST', '/exam-participants/unassign', { body: ids });
    await service.call('POST', '/exam-participants/assign', { body: ids });
    control.startExam(ids);
    control.rescore(control.finishExam({ ...ids, score: 80 }).id, 81.5);
  }
  for (const event of all) await service.call('POST', `/webhooks/${id}/test`, { body: { event } });
  await service.emulator.settled();

  const counted = { deliveries: 0, verified: 0, escaped: 0, escapedVerifiedAgain: 0, plainVerifiedAgain: 0 };
  for (const { headers, body } of receiver.received) {
    const [, time, sent] = /^t=(\d+),v1=(.+)$/.exec(headers.get('x-cbt-signature') ?? '') ?? [];
    const verifies = (text: string) =>
      createHmac('sha256', secret).update(`${time}.${text}`).digest('hex') === sent;
    const again = JSON.stringify(JSON.parse(body));
    const isEscaped = /[^\0-\x7F]|\//.test(again);
    counted.deliveries += 1;
    counted.verified += Number(verifies(body));
    counted.escaped += Number(isEscaped);
    if (verifies(again)) counted[isEscaped ? 'escapedVerifiedAgain' : 'plainVerifiedAgain'] += 1;
  }
  // Five events for each of six participants, and four test deliveries; only those of Ana have nothing to escape.
  expect(counted).toEqual({
    deliveries: 34,
    verified: 34,
    escaped: 29,
    escapedVerifiedAgain: 0,
    plainVerifiedAgain: 5,
  });
});

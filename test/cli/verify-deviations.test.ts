import { expect, test } from 'vitest';
import { createGate } from '../helpers/gate.ts';
import { answering, changed, type Deviation, startDeviating } from './deviations.ts';
import { startCli } from './helpers.ts';
import { key, startFilled, verify } from './verify-helpers.ts';

const reading: [what: string, deviation: Deviation, claims: string[]][] = [
  [
    'gives more than 100 records of a page',
    (request) => {
      if (request.path !== '/exams' || request.query.get('limit') !== '101') return undefined;
      request.query.set('limit', '100');
      return changed(request, ({ json }) => {
        json.data.push({ ...json.data[0], id: 101 });
        json.meta.per_page = 101;
      });
    },
    ['exams.limit'],
  ],
  [
    'has 15 results on a page by default',
    (request) => {
      if (request.path !== '/exam-results' || request.query.has('limit')) return undefined;
      request.query.set('limit', '15');
      return request.answer();
    },
    ['examResults.default'],
  ],
  [
    'counts the pages of exams from 0',
    (request) => {
      if (request.path !== '/exams' || !request.query.has('page')) return undefined;
      request.query.set('page', String(Number(request.query.get('page')) + 1));
      return request.answer();
    },
    ['exams.200', 'exams.page'],
  ],
  [
    'ignores the filter by participant',
    (request) => {
      if (request.path === '/exam-results') request.query.delete('participant_id');
      return undefined;
    },
    ['examResults.participant', 'examResults.both'],
  ],
  ['answers 404 to a wrong key', answering(404, (_request, status) => status === 401), ['auth.refused']],
  [
    'takes the client key for webhooks',
    (request) => {
      if (!request.path.startsWith('/webhooks')) return undefined;
      const key = request.headers.get('x-client-key');
      request.headers.set('authorization', `Bearer ${key}`);
      return request.answer();
    },
    ['auth.bearer'],
  ],
  [
    'answers 200 for a participant who is not there',
    answering(200, ({ path }) => /^\/participants\/\d+$/.test(path)),
    ['errors.404'],
  ],
  [
    'writes ids as strings',
    (request) =>
      changed(request, ({ json }) => {
        if (request.path === '/exams') for (const exam of json.data ?? []) exam.id = String(exam.id);
      }),
    ['exam.id'],
  ],
  [
    'makes a link of a participant who is not there',
    answering(200, ({ path }, status) => path.endsWith('/link') && status === 404),
    ['link.404'],
  ],
  [
    'lacks an event',
    (request) =>
      changed(request, ({ json }) => {
        if (request.path === '/webhooks') delete json.meta?.available_events['exam_result.scored'];
      }),
    ['events.names'],
  ],
];

test.each(reading)(
  'a service that %s contradicts a claim, and nothing else',
  async (_what, deviation, expected) => {
    await using service = await startFilled();
    await using deviating = await startDeviating(service, deviation);
    const { code, contradicted, stderr } = await verify(deviating.url);
    expect(contradicted.map((text) => text.split(':')[0])).toEqual(expected);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The service contradicts \d of \d+ claims\.\n$/);
  },
);

const writing: typeof reading = [
  [
    'answers an import with 200',
    answering(200, ({ path }, status) => path.endsWith('/import') && status === 201),
    ['import.201'],
  ],
  [
    'assigns twice',
    answering(201, ({ path }, status) => path.endsWith('/assign') && status === 400),
    ['assign.once'],
  ],
  [
    'shows the secret in the list',
    (request) =>
      changed(request, ({ json }) => {
        if (request.method === 'GET' && request.path === '/webhooks')
          for (const row of json.data ?? []) row.secret = 'whsec_1';
      }),
    ['endpoint.secret'],
  ],
  [
    'leaves a field of an endpoint out',
    (request) =>
      changed(request, ({ json }) => {
        if (request.method === 'GET' && request.path === '/webhooks')
          for (const row of json.data ?? []) delete row.consecutive_failures;
      }),
    ['endpoint.fields'],
  ],
  [
    'writes scores as strings',
    (request) =>
      changed(request, ({ json }) => {
        if (request.path.endsWith('/deliveries'))
          for (const { payload } of json.data ?? []) payload.data.score = '87.50';
      }),
    ['result.payload'],
  ],
  [
    'rotates no secret',
    (request) => {
      if (request.method !== 'PATCH' || !request.body.includes('rotate_secret":true')) return undefined;
      return changed(request, ({ json }) => void delete json.data.secret);
    },
    ['update.rotate'],
  ],
  [
    'refuses unknown events of a test delivery',
    (request) =>
      request.body.includes('no.such_event') && request.path.endsWith('/test')
        ? Promise.resolve({ status: 422, json: {} })
        : undefined,
    ['test.queued', 'test.default'],
  ],
  [
    'has 15 deliveries on a page by default',
    (request) => {
      if (!request.path.endsWith('/deliveries') || request.query.has('per_page')) return undefined;
      request.query.set('per_page', '15');
      return request.answer();
    },
    ['deliveries.per_page'],
  ],
  [
    'accepts a description of 256 characters',
    (request) => {
      if (!request.body.includes('x'.repeat(256)) || request.body.includes('x'.repeat(1000)))
        return undefined;
      return Promise.resolve({ status: 201, json: { success: true, message: null, data: {} } });
    },
    ['webhooks.description'],
  ],
  ['answers 404 to half a body', answering(404, ({ body }) => body.endsWith('[')), ['errors.json']],
];

test.each(writing)(
  'a service that %s contradicts a claim of a run that writes',
  async (_what, deviation, expected) => {
    await using service = await startFilled();
    await using deviating = await startDeviating(service, deviation);
    const { code, contradicted } = await verify(deviating.url, '--write', '--listen', '0');
    expect(contradicted.map((text) => text.split(':')[0])).toEqual(expected);
    expect(code).toBe(1);
    expect(service.emulator.snapshot()).toMatchObject({ endpoints: [] });
  },
);

test('a delivery that was written anew after it was signed contradicts the signature', async () => {
  await using service = await startFilled({
    fetch: (url, init) => fetch(url, { ...init, body: JSON.stringify(JSON.parse(String(init.body))) }),
  });
  const { code, contradicted } = await verify(service.url, '--write', '--listen', '0');
  expect(contradicted).toEqual(['signature.hmac: the signature is wrong']);
  expect(code).toBe(1);
});

test('a run that is stopped deletes the endpoints that it has made', async () => {
  await using service = await startFilled();
  const tested = createGate<void>();
  await using deviating = await startDeviating(service, (request) => {
    if (request.path.endsWith('/test')) tested.open();
    return undefined;
  });
  const run = startCli(['verify', '--write', '--base-url', deviating.url], {
    env: { EXAM_SERVICE_API_KEY: key },
  });
  await tested.promise;
  expect(await run.stop()).toBe(1);
  expect(run.stderr).toBe('Stopped before everything was checked.\n');
  expect(service.emulator.snapshot()).toMatchObject({ endpoints: [] });
});

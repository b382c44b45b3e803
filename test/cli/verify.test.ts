import { describe, expect, test } from 'vitest';
import { claims } from '../../src/cli/verify/claims.ts';
import { frameworks, styles } from '../emulator/client-service.ts';
import { someOf } from '../helpers/requirements.ts';
import { changed, startDeviating } from './deviations.ts';
import { startCli } from './helpers.ts';
import { key, personal, startFilled, verify } from './verify-helpers.ts';

const idsBy = (...means: string[]) => claims.flatMap(({ id, by }) => (means.includes(by) ? [id] : []));

test.each(frameworks)(
  'every claim that reading decides is confirmed of a service as %s, and nothing is changed in it',
  async (framework) => {
    await using service = startFilled({ framework });
    const before = service.emulator.snapshot();
    const { code, report, contradicted, undecided, stderr, written } = await verify(service.url);
    expect(stderr).toBe('');
    expect({ contradicted, undecided, code }).toEqual({ contradicted: [], undecided: [], code: 0 });
    expect(report.claims.map(({ id }) => id)).toEqual(idsBy('read'));
    expect(new Set(service.emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(service.emulator.snapshot()).toEqual(before);
    for (const secret of [key, ...personal]) expect(written).not.toContain(secret);
  },
);

test.each(someOf(styles))(
  'all claims are confirmed of a service of the style %s in a run that writes and receives, which leaves no endpoint behind',
  async (style) => {
    await using service = startFilled({ style });
    const before = service.emulator.snapshot().assignments;
    const { code, report, contradicted, undecided, stderr, written } = await verify(
      service.url,
      ...['--write', '--listen', '0'],
    );
    expect(stderr).toBe('');
    expect({ contradicted, undecided, code }).toEqual({ contradicted: [], undecided: [], code: 0 });
    expect(report.claims.map(({ id }) => id)).toEqual(idsBy('read', 'write', 'delivery'));
    expect(service.emulator.snapshot()).toMatchObject({ endpoints: [], assignments: before });
    for (const secret of [key, 'whsec_', ...personal]) expect(written).not.toContain(secret);
  },
);

test('deliveries that are there already are looked at by reading alone', async () => {
  await using service = startFilled({ fetch: async () => new Response(null, { status: 204 }) });
  const [endpoint] = service.emulator.control.seedWebhooks([{ url: 'https://receiver.example/hooks' }]);
  service.emulator.control.testDelivery(Number(endpoint?.id));
  await service.emulator.settled();
  const { report, contradicted, undecided, written } = await verify(service.url);
  expect({ contradicted, undecided }).toEqual({ contradicted: [], undecided: [] });
  expect(report.claims.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'endpoint.fields',
      'endpoint.secret',
      'delivery.fields',
      'result.payload',
      'deliveries.event',
    ]),
  );
  for (const secret of ['whsec_', 'Renée', 'sample@', ...personal]) expect(written).not.toContain(secret);
});

test('with a receiver elsewhere only the records of deliveries count, and the signature stays open', async () => {
  await using service = startFilled({ fetch: async () => new Response(null, { status: 204 }) });
  const { code, contradicted, undecided, report } = await verify(
    service.url,
    ...['--write', '--receiver', 'https://receiver.example/hooks'],
  );
  expect({ code, contradicted }).toEqual({ code: 0, contradicted: [] });
  expect(report.claims).toContainEqual(
    expect.objectContaining({ id: 'delivery.delivered', verdict: 'confirmed', seen: '3 of 3 are delivered' }),
  );
  expect(undecided.map((text) => text.split(':')[0])).toEqual([
    'signature.tolerance',
    'signature.header',
    'signature.hmac',
  ]);
});

test('a list that changes between two requests contradicts nothing', async () => {
  await using service = startFilled();
  let count = 0;
  await using moving = startDeviating(service, (request) =>
    changed(request, ({ json }) => {
      count += 1;
      if (request.path === '/exams') for (const exam of json.data ?? []) exam.count = count;
    }),
  );
  const { contradicted, undecided } = await verify(moving.url);
  expect(contradicted).toEqual([]);
  expect(undecided.map((text) => text.split(':')[0])).toEqual(['exams.200', 'exams.page']);
});

describe('what cannot be decided is said to be so', () => {
  test('where there is nothing to try it with', async () => {
    await using service = startFilled();
    service.emulator.reset();
    const { code, contradicted, undecided } = await verify(service.url);
    expect({ code, contradicted }).toEqual({ code: 0, contradicted: [] });
    expect(undecided).toContain('retrieve.200: nothing to try it with');
    expect(undecided).toContain('participant.id: 0 records, 0 with an integer');
    expect(undecided.map((text) => text.split(':')[0])).toEqual(
      expect.arrayContaining(['exam.id', 'exams.200', 'examResults.participant', 'examResults.both']),
    );
  });

  test('where the imported participant cannot be assigned, unless another is named', async () => {
    await using service = startFilled();
    service.emulator.control.configure({ importedParticipants: { verified: false } });
    const alone = await verify(service.url, '--write');
    expect(alone.contradicted).toEqual([]);
    expect(alone.undecided).toContain('assign.201: nothing to try it with');
    expect(alone.report.notes).toContain(
      'POST /exam-participants/assign returned 400: give --participant with one who is active and verified, or --exam with one that has room.',
    );
    service.emulator.control.configure({ importedParticipants: { verified: true } });
    const named = await verify(service.url, '--write', '--participant', '2', '--exam', '1');
    expect(named).toMatchObject({ contradicted: [], undecided: [], code: 0 });
  });

  test('where a named participant is assigned already, who stays so', async () => {
    await using service = startFilled();
    const pair = { participant_id: 2, exam_id: 1 };
    service.emulator.control.seedAssignments([pair]);
    const { contradicted, undecided, report } = await verify(
      service.url,
      ...['--write', '--participant', '2', '--exam', '1'],
    );
    expect(contradicted).toEqual([]);
    expect(undecided).toContain('assign.201: nothing to try it with');
    expect(report.notes).toContain('The participant is assigned to the exam already: name another one.');
    expect(service.emulator.control.assignment(pair)).toBeDefined();
  });

  test.each([
    [['--exam', '999'], 'GET /exams/999 returned 404: give another --exam.'],
    [['--participant', '999'], 'GET /participants/999 returned 404: give another --participant.'],
  ])('where the service does not know what is named: %j', async (named, note) => {
    await using service = startFilled();
    const { contradicted, undecided, report } = await verify(service.url, '--write', ...named);
    expect(contradicted).toEqual([]);
    expect(undecided).toContain('assign.201: nothing to try it with');
    expect(report.notes).toContain(note);
  });

  test('where the link is neither there nor a 404, so that a named participant stays as they are', async () => {
    await using service = startFilled();
    const pair = { participant_id: 2, exam_id: 1 };
    service.emulator.control.seedAssignments([pair]);
    const failing = { type: 'respond', status: 500 } as const;
    service.emulator.faults.inject({ on: 'examParticipants.link', effect: failing, times: 3 });
    const { report } = await verify(service.url, ...['--write', '--participant', '2', '--exam', '1']);
    expect(report.notes).toContain(
      'Whether the participant is assigned to the exam is not known (500): nothing was assigned or cancelled.',
    );
    expect(service.emulator.control.assignment(pair)).toBeDefined();
  });

  test('where the key may assign but not ask for links', async () => {
    await using service = startFilled();
    const forbidden = { type: 'respond', status: 403 } as const;
    service.emulator.faults.inject({ on: 'examParticipants.link', effect: forbidden, times: Infinity });
    const { contradicted, undecided } = await verify(service.url, '--write');
    expect(contradicted).toEqual([]);
    expect(undecided).toContain('link.200: GET /exam-participants/link: 403');
  });

  test('where the key has no permission', async () => {
    await using service = startFilled();
    service.emulator.faults.inject({
      on: 'webhooks.list',
      effect: { type: 'respond', status: 403 },
      times: Infinity,
    });
    const forbidden = { type: 'respond', status: 403 } as const;
    service.emulator.faults.inject({ on: 'examParticipants.link', effect: forbidden, times: Infinity });
    const { contradicted, undecided } = await verify(service.url);
    expect(contradicted).toEqual([]);
    expect(undecided).toContain('auth.bearer: GET /webhooks: 403');
    expect(undecided).toContain('link.required: GET /exam-participants/link without participant_id: 403');
  });
});

test.each(['webhooks.create', 'examParticipants.assign'] as const)(
  'what %s made is removed, although its response was lost',
  async (operation) => {
    await using service = startFilled();
    const [kept] = service.emulator.control.seedWebhooks([
      { url: 'https://receiver.invalid/of-the-project' },
    ]);
    const before = service.emulator.snapshot().assignments;
    const path = operation === 'webhooks.create' ? '/webhooks' : '/exam-participants/assign';
    await using losing = startDeviating(service, (request) =>
      changed(request, (passed) => {
        const isMade = request.method === 'POST' && request.path === path && passed.status < 300;
        if (isMade) passed.status = 504;
      }),
    );
    const { code, stderr } = await verify(losing.url, '--write');
    expect(code).toBe(1);
    expect(stderr).toContain('failed with 504');
    expect(service.emulator.snapshot().assignments).toEqual(before);
    expect(service.emulator.snapshot().endpoints.map(({ id }) => id)).toEqual([kept?.id]);
  },
);

test('the silence of the documentation is filled with what was seen', async () => {
  await using service = startFilled({ style: 'envelope' });
  const { report } = await verify(service.url);
  expect(report.notes).toContain('GET /exams returns a list in the form envelope.');
  expect(report.notes).toContain('GET /exams with the other credential returns 401.');
  expect(report.notes).toContain('GET /exams with a wrong key returns 401.');
});

test('people get a table with the reason of what is not confirmed, and the sums', async () => {
  await using service = startFilled();
  service.emulator.faults.inject({ on: 'exams.retrieve', effect: { type: 'respond', status: 404 } });
  const run = startCli(['verify', '--base-url', service.url], { env: { EXAM_SERVICE_API_KEY: key } });
  expect(await run.exitCode).toBe(1);
  expect(run.stdout).toContain(`Authentication
  confirmed     Participants, assignments, exams and results take the key in \`X-Client-Key\`.
`);
  expect(run.stdout).toContain(`
  contradicted  An exam is returned by its id, with 200.
                GET /exams/{id}: 404
`);
  const [, sums = '', rest = ''] =
    /\n(\d+ confirmed, 1 contradicted, 0 not decided)\n(\d+) more claims need a run that may change/.exec(
      run.stdout,
    ) ?? [];
  const [confirmed] = sums.split(' ');
  expect(Number(confirmed) + 1 + Number(rest)).toBe(claims.length);
  expect(run.stderr).toMatch(/^The service contradicts 1 of \d+ claims\.\n$/);
});

test('what is left for a run that may change things is counted without what is decided already', async () => {
  await using service = startFilled({ fetch: async () => new Response(null, { status: 204 }) });
  const [endpoint] = service.emulator.control.seedWebhooks([{ url: 'https://receiver.example/hooks' }]);
  service.emulator.control.testDelivery(Number(endpoint?.id));
  await service.emulator.settled();
  const run = startCli(['verify', '--base-url', service.url], { env: { EXAM_SERVICE_API_KEY: key } });
  expect(await run.exitCode).toBe(0);
  const sums = [...run.stdout.matchAll(/(\d+) (?:confirmed|contradicted|not decided|more claims need)/g)];
  expect(sums).toHaveLength(4);
  expect(sums.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(claims.length);
});

test.each([
  ['a wrong key', 'another-key', '', 'The service rejects the key (401).'],
  ['a missing prefix', key, '/exams', 'There is no list of the service at this address (404, 401).'],
])('%s is the message, not a contradiction', async (_what, apiKey, suffix, words) => {
  await using service = startFilled();
  const run = startCli(['verify', '--base-url', service.url + suffix], {
    env: { EXAM_SERVICE_API_KEY: apiKey },
  });
  expect(await run.exitCode).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(words);
  expect(run.stderr).not.toContain(apiKey);
});

test.each([
  [['--exam', '1'], '--exam needs --write.'],
  [['--write', '--exam', 'x'], '--exam needs a whole number of 1 or more, not x.'],
  [['--write', '--listen', '70000'], '--listen needs a whole number from 0 to 65535, not 70000.'],
  [['--write', '--receiver', 'ftp://host'], '--receiver needs an http or https URL.'],
])('%j is a wrong call', async (args, words) => {
  const run = startCli(['verify', '--base-url', 'https://host/api/v1', ...args], {
    env: { EXAM_SERVICE_API_KEY: key },
  });
  expect(await run.exitCode).toBe(2);
  expect(run.stderr).toContain(words);
});

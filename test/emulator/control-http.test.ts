import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderRoutes } from '../../scripts/control-interface.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { at, createReceiver, pair, type Service, startServer } from './helpers.ts';

/** The control interface over HTTP, `/__emulator/...`. */

const run = promisify(execFile);

async function control(service: Service, path: string, body?: unknown) {
  const response = await fetch(new URL(`/__emulator${path}`, service.url), {
    headers: { 'X-Emulator-Control': '1', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, message: at(json, 'message'), data: at(json, 'data') };
}

const newcomer = { participants: [{ email: 'new@example.com', name: 'New', password: 'password' }] };
const seeds = { participants: 2, exams: [{ id: 1, name: 'Maths' }], assignments: [pair] };

async function startSeeded(): Promise<Service> {
  const service = await startServer({ fetch: createReceiver().fetch });
  await control(service, '/seed', seeds);
  return service;
}

describe('data', () => {
  test('is put in place, and returned as records', async () => {
    await using service = await startServer();
    const webhooks = [{ url: 'https://receiver.example.test/', secret: 'whsec_mine' }];
    const results = [{ participant_id: 2, exam_id: 1, score: 70, end_at: '2025-02-28T10:00:00+07:00' }];
    const { status, data } = await control(service, '/seed', { ...seeds, results, webhooks });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      participants: [{ id: 1 }, { id: 2 }],
      exams: [{ name: 'Maths' }],
      assignments: [pair],
      results: [{ score: 70, end_at: Date.UTC(2025, 1, 28, 3) }],
      webhooks: [{ id: 1, secret: 'whsec_mine', events: { length: 4 } }],
    });
    expect(at((await service.call('GET', '/participants')).json, 'meta', 'total')).toBe(2);
  });

  test('is forgotten, and is given back as it was', async () => {
    await using service = await startSeeded();
    const { data: state } = await control(service, '/state');
    await control(service, '/reset', {});
    expect(service.emulator.snapshot().participants).toEqual([]);
    expect((await control(service, '/state', state)).status).toBe(200);
    expect(service.emulator.snapshot()).toEqual(state);
  });
});

describe('a form', () => {
  const post = (service: Service, path: string, body: FormData | URLSearchParams) =>
    fetch(new URL(`/__emulator${path}`, service.url), {
      method: 'POST',
      headers: { 'X-Emulator-Control': '1' },
      body,
    });
  const send = (service: Service, path: string, ...fields: [name: string, value: string][]) =>
    post(service, path, new URLSearchParams(fields));

  test('may hold a file with the JSON', async () => {
    await using service = await startServer();
    const send = (content: string) => {
      const body = new FormData();
      body.append('file', new File([content], 'seed.json'));
      return post(service, '/seed', body);
    };
    expect((await send('{"participants":[{"name":"Ana"}]}')).status).toBe(200);
    expect(service.emulator.snapshot().participants).toMatchObject([{ name: 'Ana' }]);
    const broken = await send('{');
    expect([broken.status, await broken.json()]).toEqual([422, { message: 'The file must be JSON.' }]);
  });

  test('writes null as null, where the interface takes it', async () => {
    await using service = await startSeeded();
    expect((await send(service, '/faults', ['effect', 'reset'], ['times', 'null'])).status).toBe(200);
    expect(service.emulator.faults.waiting).toMatchObject([{ left: Number.POSITIVE_INFINITY }]);
    service.emulator.faults.clear();
    service.emulator.control.startExam(pair);
    await send(service, '/exams/finish', ['participant_id', '1'], ['exam_id', '1'], ['score', 'null']);
    expect(service.emulator.snapshot().results).toMatchObject([{ score: null }]);
    const rejected = await send(service, '/results/rescore', ['result_id', '1'], ['score', 'null']);
    expect([rejected.status, await rejected.json()]).toEqual([422, { message: '`score` must be a number.' }]);
  });

  test('has the last of two values, all of them where the interface takes a list, null as null, and nothing for nothing', async () => {
    await using service = await startServer({ maxParticipants: 3 });
    await send(
      service,
      '/participants/create',
      ['active', 'false'],
      ['active', 'true'],
      ['verified', 'false'],
    );
    expect(service.emulator.snapshot().participants).toMatchObject([
      { is_active: true, email_verified_at: null },
    ]);
    const url: [string, string] = ['url', 'https://receiver.example.test/'];
    const [scored, completed] = ['exam_result.scored', 'exam_result.completed'];
    await send(service, '/webhooks/create', url, ['events', scored], ['events', completed]);
    await send(service, '/webhooks/create', url, ['events', scored]);
    expect(service.emulator.snapshot().endpoints).toMatchObject([
      { events: [scored, completed] },
      { events: [scored] },
    ]);
    await send(service, '/settings', ['max_participants', '']);
    expect(service.emulator.settings.maxParticipants).toBe(3);
    await send(
      service,
      '/settings',
      ['max_participants', 'null'],
      ['retry_delays', '[5, 10]'],
      ['imported_participants', '{"verified":false}'],
    );
    expect(service.emulator.settings).toMatchObject({
      maxParticipants: Number.POSITIVE_INFINITY,
      retryDelays: [5, 10],
      importedParticipants: { active: true, verified: false },
    });
  });
});

describe('the service', () => {
  test('takes other settings', async () => {
    await using service = await startSeeded();
    const changes = { style: 'envelope', max_participants: 2, score_format: 'number', utc_offset: 0 };
    expect((await control(service, '/settings', changes)).data).toMatchObject(changes);
    expect(at((await service.call('GET', '/exams')).json, 'data', 0, 'created_at')).toMatch(/\+00:00$/);
    await control(service, '/settings', { max_participants: null });
    expect(at((await control(service, '/settings')).data, 'max_participants')).toBeNull();
  });

  test('has its time moved, and does what falls due', async () => {
    const receiver = createReceiver(500);
    await using service = await startServer({ fetch: receiver.fetch });
    await control(service, '/seed', { webhooks: [{ url: 'https://receiver.example.test/' }] });
    await control(service, '/webhooks/test', { endpoint_id: 1 });
    await service.emulator.settled();
    const { data, message } = await control(service, '/clock/advance', { seconds: 10 });
    expect(message).toContain('2025-03-01T08:00:10+07:00');
    expect(data).toEqual({ now: '2025-03-01T01:00:10.000Z' });
    expect(receiver.received).toHaveLength(2);
    expect((await control(service, '/clock')).data).toEqual(data);
    expect((await control(service, '/deliveries?last=1')).data).toMatchObject([
      { attempt: 2, response_code: 204 },
    ]);
  });

  test('fails on demand', async () => {
    await using service = await startSeeded();
    await control(service, '/faults', {
      effect: 'respond',
      status: 429,
      headers: { 'Retry-After': '5' },
      on: ['exams.list'],
      times: null,
    });
    await control(service, '/faults', { effect: 'duplicate', on: 'exam_result.scored' });
    const fault = { effect: 'respond', status: 418, body: { message: 'teapot' } };
    await control(service, '/faults', { ...fault, on: 'exams.retrieve' });
    expect((await service.call('GET', '/exams/1')).status).toBe(418);
    const listed = await service.call('GET', '/exams');
    expect([listed.status, listed.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await control(service, '/faults')).data).toMatchObject([
      { fault: { on: ['exams.list'] }, left: null, struck: 1 },
      { fault: { effect: 'duplicate' }, left: 1, struck: 0 },
    ]);
    await control(service, '/faults/clear', {});
    expect((await service.call('GET', '/exams')).status).toBe(200);
  });

  test('shows its requests, the last of them where asked', async () => {
    await using service = await startSeeded();
    for (const path of ['/exams', '/participants', '/exams/9']) await service.call('GET', path);
    const paths = (data: unknown) => (Array.isArray(data) ? data.map((entry) => at(entry, 'path')) : []);
    expect(paths((await control(service, '/requests')).data)).toEqual([
      '/api/v1/exams',
      '/api/v1/participants',
      '/api/v1/exams/9',
    ]);
    expect(paths((await control(service, '/requests?last=1')).data)).toEqual(['/api/v1/exams/9']);
  });
});

describe('what cannot be done is said', () => {
  test.each([
    ['/exams/start', {}, '`participant_id` is missing; `exam_id` is missing.'],
    ['/exams/start', { participant_id: '1', exam_id: 1 }, '`participant_id` must be a whole number above 0.'],
    ['/exams/start', { participant_id: 2, exam_id: 1 }, 'Participant 2 is not assigned to exam 1.'],
    ['/results/rescore', { result_id: 9, score: 1 }, 'There is no exam result 9.'],
    [
      '/seed',
      { participants: [{}, { id: 'x' }] },
      'participants, row 2: `id` must be a whole number above 0.',
    ],
    ['/seed', { exams: 'many' }, '`exams` must be a list, or how many.'],
    [
      '/seed',
      { assignments: [{ participant_id: 1, exam_id: 7 }] },
      'assignments, row 1: There is no exam 7.',
    ],
    ['/seed', { webhooks: [{ url: 'receiver' }] }, 'webhooks, row 1: `url` must be an http or https URL.'],
    ['/seed', [], 'must be an object.'],
    ['/settings', { style: 'fancy' }, '`style` must be one of resource, paginator'],
    ['/settings', { max_participants: -1 }, '`max_participants` must be a whole number of 0 or more.'],
    ['/clock/advance', { seconds: -1 }, '`seconds` must be 0 or more.'],
    ['/settings', { utc_offset: 1_440 }, '`utc_offset` must be a whole number from -1439 to 1439.'],
    ['/clock/advance', { seconds: 1e12 }, 'A clock goes up to the year 9999'],
    ['/faults', { effect: 'respond', status: 200, headers: { 'a b': 'c' } }, '"a b"'],
    ['/faults', { effect: 'reset', on: 'exam_result.scored' }, 'Unknown operation `exam_result.scored`'],
    ['/faults', { effect: 'explode' }, 'Unknown effect `explode`: use respond, html, '],
    ['/faults', { effect: 'respond', status: 99 }, 'must be in the range of 200 to 599'],
    ['/faults', { effect: 'duplicate', delay: 5 }, 'Unknown field `delay`: use on, '],
    ['/faults', { effect: 'reset', times: 0 }, '`times` must be a whole number above 0, or null'],
    ['/reset', { all: true }, 'Unknown field `all`: there is none.'],
    ['/settings', { styles: 'bare' }, 'Unknown field `styles` (did you mean `style`?).'],
    ['/state', { version: 1 }, 'This is no state of an emulator'],
  ])('POST %s %j', async (path, body, words) => {
    await using service = await startSeeded();
    const { status, message } = await control(service, path, body);
    expect(status).toBe(422);
    expect(message).toContain(words);
    // A rejected change changes nothing: the service responds as before.
    expect((await service.call('POST', '/participants/import', { body: newcomer })).status).toBe(201);
  });

  test('a body that is not JSON', async () => {
    await using service = await startSeeded();
    const headers = { 'X-Emulator-Control': '1', 'Content-Type': 'application/json' };
    const url = new URL('/__emulator/reset', service.url);
    const response = await fetch(url, { method: 'POST', body: '{', headers });
    expect([response.status, await response.json()]).toEqual([422, { message: 'The body must be JSON.' }]);
  });

  test.each([
    ['JSON without its content type', '/seed', '{"participants":3}', 'Unknown field'],
    ['a misspelt name', '/exams/finish', 'participant_id=1&exam_id=1&scor=', 'did you mean `score`?'],
  ])('a form with an unknown name, also without a value: %s', async (_what, path, body, words) => {
    await using service = await startSeeded();
    const headers = { 'X-Emulator-Control': '1', 'Content-Type': 'application/x-www-form-urlencoded' };
    const url = new URL(`/__emulator${path}`, service.url);
    const response = await fetch(url, { method: 'POST', body, headers });
    expect(response.status).toBe(422);
    expect(at(await response.json(), 'message')).toContain(words);
  });

  test('a query with an unknown name, also without a value', async () => {
    await using service = await startSeeded();
    const { status, message } = await control(service, '/requests?lst=');
    expect([status, message]).toEqual([422, expect.stringContaining('did you mean `last`?')]);
    const inherited = await control(service, '/requests?constructor=1');
    expect([inherited.status, inherited.message]).toEqual([422, 'Unknown field `constructor`: use last.']);
    expect((await control(service, '/requests?last=')).status).toBe(200);
  });

  test('a path that does not exist, with those that do', async () => {
    await using service = await startSeeded();
    const { status, message } = await control(service, '/rest', {});
    expect(status).toBe(404);
    expect(message).toContain('POST /__emulator/reset');
  });

  test('a clock of the user that cannot be moved', async () => {
    const clock = { now: () => 0, schedule: () => () => {} };
    await using server = await createEmulator({ clock }).listen();
    const { status, message } = await control({ url: server.url } as Service, '/clock/advance', {
      seconds: 1,
    });
    expect([status, message]).toEqual([422, 'The clock of this emulator cannot be moved.']);
  });
});

describe('who may use it', () => {
  const ways: [string, Record<string, string>, number][] = [
    ['a program with the header', { 'X-Emulator-Control': '1' }, 200],
    ['a program without it', {}, 403],
    ['a page of another origin', { Origin: 'https://hostile.example.test' }, 403],
    ['a page of another port', { Origin: 'http://127.0.0.1:1' }, 403],
    ['a page of another origin, with the header', { Origin: 'null', 'X-Emulator-Control': '1' }, 403],
  ];

  test.each(ways)('%s', async (_who, headers, status) => {
    await using service = await startSeeded();
    const read = await fetch(new URL('/__emulator/requests', service.url), { headers });
    expect(read.status).toBe(status);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    const reset = await fetch(new URL('/__emulator/reset', service.url), { method: 'POST', headers });
    expect(reset.status).toBe(status);
    expect(service.emulator.snapshot().participants).toHaveLength(status === 200 ? 0 : 2);
  });

  test('it is no part of the service', async () => {
    await using service = await startSeeded();
    const address = 'https://service.example.test/__emulator/state';
    const response = await service.emulator.fetch(address, { headers: { 'X-Emulator-Control': '1' } });
    expect(response.status).toBe(404);
  });
});

const read = (name: string) => readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const guide = await read('emulator');
const controlGuide = await read('control-interface');

/** The code blocks of a language in the document of the control interface. */
function documented(language: string): string[] {
  return [...controlGuide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code,
  );
}

const has = (command: string) =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );
const [hasCurl, hasPython] = await Promise.all([has('curl'), has('python3')]);

describe('the documents of the emulator', () => {
  test('have the table of routes that the routes make: `npm run control-interface` writes it', async () => {
    expect(await renderRoutes()).toBe(controlGuide);
  });

  test('names every field of a row of a seed, and no other', async () => {
    await using service = await startServer();
    const [, table = ''] = /^\| part \| fields of a row \|\n\|[-|]+\n((?:\|.*\n)+)/m.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
    expect(rows).toHaveLength(5);
    for (const [, part = '', fields = ''] of rows) {
      const { message } = await control(service, '/seed', { [part]: [{ qqqqqq: 1 }] });
      // Defaults stand in brackets.
      const named = [...fields.replaceAll(/\(.*?\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect(message).toContain(`Unknown field \`qqqqqq\`: use ${named.join(', ')}.`);
    }
  });

  const environment = ({ url }: Service) => ({ env: { ...process.env, EMULATOR: new URL(url).origin } });

  test('names the sample data by its ids', async () => {
    await using service = await startServer();
    await control(service, '/demo', {});
    const { participants, exams, endpoints } = service.emulator.snapshot();
    expect(participants).toHaveLength(6);
    for (const { id, name } of [...participants, ...exams]) expect(guide).toContain(` ${id} ${name}`);
    expect(guide).toContain(`| ${endpoints[0]?.id}, \`${endpoints[0]?.url}\``);
    expect(guide).toContain(`secret \`${endpoints[0]?.secret}\``);
  });

  test('has every effect of a fault, with its fields', () => {
    const { faults } = createEmulator();
    const rejected = (fault: object) => {
      try {
        faults.inject({ on: 'exams.list', ...fault });
      } catch (error) {
        return String(error);
      }
      return undefined;
    };
    const [, table = ''] = /\| effect \| what happens \| fields \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| (.*?) ?\|$/gm)];
    expect(rejected({ effect: 'none' })).toContain(`: use ${rows.map(([, effect]) => effect).join(', ')}.`);
    const values = { status: 400, body: {}, headers: {}, to: '/login' };
    for (const [, effect, fields = ''] of rows) {
      for (const [field, value] of Object.entries(values))
        expect(rejected({ effect, [field]: value }) === undefined, `${effect} ${field}`).toBe(
          fields.includes(`\`${field}\``),
        );
    }
  });

  test.skipIf(!hasCurl)('shows what curl does (skipped where there is no curl)', async () => {
    await using service = await startServer();
    const [code = ''] = documented('sh');
    const { stdout } = await run('sh', ['-ec', code], environment(service));
    expect(stdout).toContain('"message":"The data was created."');
    expect(stdout).toContain('"message":"Participant 1 started exam 1."');
    expect(stdout).toContain('"message":"The fault strikes once."');
    expect(stdout).toContain('"message":"The snapshot was loaded."');
    expect(service.emulator.control.assignment(pair)?.started_at).toBe(service.clock.now());
  });

  test.skipIf(!hasPython)('shows what Python does (skipped where there is no Python)', async () => {
    await using service = await startServer();
    const [code = ''] = documented('python');
    const { stdout } = await run('python3', ['-c', code], environment(service));
    expect(stdout).toBe('passed\n');
    expect(service.emulator.snapshot().results).toMatchObject([{ score: 75 }]);
  });
});

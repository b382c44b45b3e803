import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { at } from '../emulator/helpers.ts';
import { createGate } from '../helpers/gate.ts';
import { startServer } from '../helpers/server.ts';
import { baseUrlOf, call, runToEnd, startCli, temporaryFolder } from './helpers.ts';

async function registerAndTest(baseUrl: string, url: string): Promise<void> {
  const body = JSON.stringify({ url, events: ['exam_result.completed'] });
  await call(baseUrl, '/webhooks', { method: 'POST', body });
  await call(baseUrl, '/webhooks/1/test', { method: 'POST' });
}

test('it says where it is, and how to call it from a shell and from a program', async () => {
  await using run = startCli(['emulator', '--port', '0', '--api-key', 'my-key']);
  const baseUrl = await baseUrlOf(run);
  await run.shows('Ctrl+C');
  expect(run.stdout).toContain(`Service  ${baseUrl}\n`);
  expect(run.stdout).toContain(`Console  ${baseUrl.replace('/api/v1', '/')}\n`);
  expect(run.stdout).toContain(`Control  ${baseUrl.replace('/api/v1', '/__emulator')}\n`);
  expect(run.stdout).toContain(`curl -H 'X-Client-Key: my-key' ${baseUrl}/exams\n`);
  expect(run.stdout).toContain(`new ExamClient({ baseUrl: '${baseUrl}', apiKey: 'my-key' });\n`);
  const response = await call(baseUrl, '/exams', { headers: { 'X-Client-Key': 'my-key' } });
  expect(response.status).toBe(200);
  expect((await call(baseUrl, '/exams')).status).toBe(401);
});

test('it stops when asked to, and says so', async () => {
  const run = startCli(['emulator', '--port', '0']);
  const baseUrl = await baseUrlOf(run);
  expect(await run.stop()).toBe(0);
  expect(run.stdout.endsWith('Stopped.\n')).toBe(true);
  await expect(call(baseUrl, '/exams')).rejects.toThrow('fetch failed');
});

test('it stops while a receiver does not respond, and lets go of it', async () => {
  const letGo = createGate();
  await using receiver = await startServer((_, { left }) => left.then(letGo.open).then(() => undefined));
  const run = startCli(['emulator', '--port', '0']);
  await registerAndTest(await baseUrlOf(run), receiver.url);
  await receiver.arrival(1);
  expect(await run.stop()).toBe(0);
  await letGo.promise;
});

test('--allow-host serves further names, and a host that is not one is rejected', async () => {
  await using run = startCli(['emulator', '--port', '0', '--allow-host', 'emulator', '--allow-host', 'b:80']);
  const { port } = new URL(await baseUrlOf(run));
  const status = (host: string) =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/', headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
  expect(await Promise.all(['emulator:4710', 'b', 'other'].map(status))).toEqual([200, 200, 403]);
  const { code, stderr } = await runToEnd('emulator', '--allow-host', 'http://emulator');
  expect(code).toBe(2);
  expect(stderr).toContain('--allow-host needs the name of a host, like emulator, not http://emulator.');
});

test('its times are those of the service, as on the console page', async () => {
  await using run = startCli(['emulator', '--port', '0', '--utc-offset=-720']);
  await run.shows('Times    UTC-12:00');
  await call(await baseUrlOf(run), '/exams');
  await run.shows('GET    /api/v1/exams');
  const [, hour] = /^(\d\d):\d\d:\d\d {2}GET/m.exec(run.stdout) ?? [];
  const now = new Date();
  const shifted = [0, -1].map((earlier) => (now.getUTCHours() + 12 + 24 + earlier) % 24);
  expect(shifted).toContain(Number(hour));
});

test('an address that others can reach is warned about', async () => {
  await using run = startCli(['emulator', '--port', '0', '--host', '0.0.0.0']);
  await run.shows('Ctrl+C');
  expect(run.stderr).toContain('Anyone who can reach this machine over the network can use the emulator');
  const baseUrl = await baseUrlOf(run);
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  expect((await call(baseUrl, '/exams')).status).toBe(200);
  expect((await fetch(baseUrl.replace('/api/v1', '/'))).status).toBe(200);
});

test('--demo begins with a made-up examination, which can be taken further', async () => {
  await using run = startCli(['emulator', '--port', '0', '--demo']);
  await run.shows('6 participants, 3 exams, 3 results, 1 webhook\n');
  await run.shows('  Secret   whsec_demo, of the webhook\n');
  const baseUrl = await baseUrlOf(run);
  const webhooks = await (await call(baseUrl, '/webhooks')).json();
  expect(at(webhooks, 'data')).toMatchObject([{ url: 'http://127.0.0.1:3000/webhooks', is_active: true }]);
  expect((await call(baseUrl, '/exam-participants/link?participant_id=3&exam_id=1')).status).toBe(200);
});

describe('what happens is shown as it happens', () => {
  test('requests, with their responses', async () => {
    await using run = startCli(['emulator', '--port', '0']);
    const baseUrl = await baseUrlOf(run);
    await call(baseUrl, '/exams?limit=5');
    await call(baseUrl, '/participants/9');
    await run.shows(/^\d\d:\d\d:\d\d {2}GET {4}\/api\/v1\/exams\?limit=5 {2}200$/m);
    await run.shows(/^\d\d:\d\d:\d\d {2}GET {4}\/api\/v1\/participants\/9 {2}404$/m);
  });

  test('deliveries, with the response of the receiver or the reason why there is none', async () => {
    await using accepting = await startServer({ status: 204 });
    await using failing = await startServer({ status: 500 });
    await using run = startCli(['emulator', '--port', '0', '--retry-delays', '0']);
    const baseUrl = await baseUrlOf(run);
    await registerAndTest(baseUrl, accepting.url);
    await run.shows(`event  exam_result.completed to ${accepting.url}  204\n`);
    await call(baseUrl, '/webhooks/1', { method: 'PATCH', body: JSON.stringify({ url: failing.url }) });
    await call(baseUrl, '/webhooks/1/test', { method: 'POST' });
    await run.shows(`${failing.url}, attempt 2  The receiver responded with status 500.\n`);
  });

  test('a JSON object to a line with --json', async () => {
    await using receiver = await startServer({ status: 200 });
    const run = startCli(['emulator', '--port', '0', '--json', '--seed', 'examples/testing/seed.json']);
    const baseUrl = await baseUrlOf(run);
    await registerAndTest(baseUrl, receiver.url);
    await run.shows('"type":"delivery"');
    await run.stop();
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines.map((line) => at(line, 'type'))).toEqual(
      expect.arrayContaining(['started', 'request', 'request', 'delivery', 'stopped']),
    );
    for (const line of lines) expect(at(line, 'time')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(lines[0]).toMatchObject({ base_url: baseUrl, participants: 5, exams: 2, results: 2, webhooks: 0 });
    expect(lines.find((line) => at(line, 'type') === 'request')).toMatchObject({
      operation: 'webhooks.create',
      method: 'POST',
      path: '/api/v1/webhooks',
      status: 201,
    });
    expect(lines.find((line) => at(line, 'type') === 'delivery')).toMatchObject({
      event: 'exam_result.completed',
      endpoint_id: 1,
      attempt: 1,
      response_code: 200,
      error_message: null,
    });
  });

  test('without what would take a terminal over', async () => {
    // The service rejects such an address; a state may hold one.
    const written = createEmulator();
    written.control.seedWebhooks([{ url: 'http://127.0.0.1:1/\u001b[2J' }]);
    await using folder = await temporaryFolder();
    await writeFile(folder.file('state.json'), JSON.stringify(written.snapshot()));
    const state = ['--seed', folder.file('state.json')];
    await using run = startCli(['emulator', '--port', '0', '--retry-delays', 'none', ...state]);
    await call(await baseUrlOf(run), '/webhooks/1/test', { method: 'POST' });
    await run.shows('exam_result.completed to http://127.0.0.1:1/\uFFFD[2J');
    expect(run.stdout).not.toContain('\u001b');
  });
});

test.each([
  ['text', [], /^(\d+) lines were left out: nobody read the output\.$/m],
  ['JSON', ['--json'], /"message":"(\d+) lines were left out: nobody read the output\."/],
])(
  'what is written while nobody reads is left out beyond a bound, and how much, as %s',
  async (_form, options, note) => {
    const run = startCli(['emulator', '--port', '0', ...options]);
    const baseUrl = await baseUrlOf(run);
    run.stopReading();
    const query = 'x'.repeat(10_000);
    for (let sent = 0; sent < 60; sent += 1) await call(baseUrl, `/exams?before=${query}`);
    run.readOn();
    const { length } = run.stdout;
    expect(length).toBeLessThan(400_000);
    await call(baseUrl, '/exams?after');
    await run.shows('exams');
    await run.stop();
    const later = run.stdout.slice(length);
    const left = Number(note.exec(later)?.[1]);
    expect(run.stdout.split('?before=').length - 1 + run.stdout.split('"before":').length - 1).toBe(
      60 - left,
    );
    expect(later.indexOf('left out')).toBeLessThan(later.indexOf('after'));
  },
);

describe('colours', () => {
  test.each([
    ['on a terminal', { isTTY: true }, true],
    ['not in a pipe', { isTTY: false }, false],
    ['not with NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['with an empty NO_COLOR, which counts as none', { isTTY: true, env: { NO_COLOR: '' } }, true],
    ['not on a dumb terminal', { isTTY: true, env: { TERM: 'dumb' } }, false],
  ])('%s', async (_when, setting, colored) => {
    await using run = startCli(['emulator', '--port', '0'], setting);
    await run.shows('Ctrl+C');
    expect(run.stdout.includes('\u001b[1mExam service emulator\u001b[0m')).toBe(colored);
  });
});

test('the options reach the emulator', async () => {
  await using run = startCli([
    ...['emulator', '--port', '0', '--style', 'envelope', '--score-format', 'number', '--utc-offset', '0'],
    ...['--import-response', 'records'],
    ...['--max-participants', '6', '--max-per-exam', '4', '--seed', 'examples/testing/seed.json'],
  ]);
  const baseUrl = await baseUrlOf(run);
  const results = await (await call(baseUrl, '/exam-results')).json();
  expect(results).toMatchObject({ success: true, data: [{ score: 67.5 }, { score: 91 }] });
  expect(at(results, 'data', 0, 'end_at')).toMatch(/\+00:00$/);
  const participants = ['a', 'b'].map((name) => ({
    name,
    email: `${name}@example.test`,
    password: 'secret',
  }));
  const imported = await call(baseUrl, '/participants/import', {
    method: 'POST',
    body: JSON.stringify({ participants }),
  });
  expect(imported.status).toBe(400);
  const assigned = await call(baseUrl, '/exam-participants/assign', {
    method: 'POST',
    body: JSON.stringify({ participant_id: 5, exam_id: 1 }),
  });
  expect(assigned.status).toBe(400);
});

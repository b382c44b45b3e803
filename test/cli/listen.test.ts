import { describe, expect, test } from 'vitest';
import {
  createEmulator,
  createManualClock,
  type Emulator,
  type EmulatorClock,
} from '../../src/testing/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { startServer, type TestService, unusedUrl } from '../helpers/server.ts';
import { type Run, startCli } from './helpers.ts';

const key = 'a-key-that-nobody-may-see';
const env = { EXAM_SERVICE_API_KEY: key };
const events = ['exam_result.completed', 'exam_result.scored'];

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly emulator: Emulator;
  /** Delivers to endpoint 1, whose own receiver is never there. */
  deliver(event?: 'exam_result.completed' | 'exam_result.scored'): Promise<string>;
}

/** An emulator with endpoint 1. */
async function startService(clock?: EmulatorClock): Promise<Service> {
  const emulator = createEmulator({
    clock,
    apiKey: key,
    disableAfterFailures: Number.POSITIVE_INFINITY,
    fetch: () => Promise.reject(new Error('nobody there')),
  });
  const { url, close } = await emulator.listen();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: 'https://receiver.example.test/', events });
  await fetch(`${url}/webhooks`, { method: 'POST', headers, body });
  return {
    url,
    emulator,
    async deliver(event = 'exam_result.completed') {
      emulator.control.testDelivery(1, event);
      await emulator.settled();
      return emulator.deliveries.at(-1)?.delivery_id ?? '';
    },
    [Symbol.asyncDispose]: close,
  };
}

/** A receiver on this machine that verifies with the secret that `run` shows. */
async function startReceiver(secretOf: () => string, status = 204) {
  const handled: WebhookEvent[] = [];
  const server = await startServer(async ({ text, headers }) => {
    const record = { 'x-cbt-signature': String(headers['x-cbt-signature']) };
    const on = (event: WebhookEvent) => void handled.push(event);
    const handle = createWebhookHandler({
      secret: secretOf(),
      on: { 'exam_result.completed': on, 'exam_result.scored': on },
      onRejected: () => {},
    });
    const response = await handle(
      new Request('http://localhost/', { method: 'POST', headers: record, body: text }),
    );
    return { status: response.ok ? status : response.status };
  });
  return { handled, server, [Symbol.asyncDispose]: () => server.close() };
}

function listen(service: { readonly url: string }, to: TestService | string, ...more: string[]): Run {
  const forwardTo = typeof to === 'string' ? to : `${to.origin}/hooks`;
  const args = ['--base-url', service.url, '--endpoint', '1', '--forward-to', forwardTo];
  return startCli(['listen', ...args, '--interval', '0.02', ...more], { env });
}

const secretShown = ({ stdout }: Run) => /whsec_[0-9a-f]{48}/.exec(stdout)?.[0] ?? 'none was shown';

describe('listen', () => {
  test('forwards each new delivery once, signed with the secret that it shows, and none from before', async () => {
    await using service = await startService();
    const before = await service.deliver();
    let run: Run | undefined;
    await using receiver = await startReceiver(() => (run ? secretShown(run) : ''));
    await using started = listen(service, receiver.server);
    run = started;
    await run.shows('Press Ctrl+C to stop.');
    const first = await service.deliver('exam_result.scored');
    await run.shows(first);
    const second = await service.deliver();
    await run.shows(second);
    expect(await run.stop()).toBe(0);
    expect(receiver.handled.map(({ event }) => event)).toEqual([
      'exam_result.scored',
      'exam_result.completed',
    ]);
    expect(receiver.server.requests[0]).toMatchObject({
      method: 'POST',
      target: '/hooks',
      headers: { 'content-type': 'application/json' },
    });
    expect(run.stdout).toMatch(new RegExp(`exam_result\\.scored ${first} {2}204\n`));
    expect(run.stdout).not.toContain(before);
    expect(run.stdout).toMatch(/Stopped\.\n$/);
    expect(run.stderr).toBe('');
    expect(run.stdout).not.toContain(key);
  });

  test('writes bodies as PHP does, so that only the bytes themselves verify', async () => {
    await using service = await startService();
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver);
    await run.shows('Ctrl+C');
    service.emulator.control.seedParticipants([{ email: 'a@example.test', name: 'Zoë/Ana' }]);
    service.emulator.control.seedExams(1);
    service.emulator.control.seedAssignments([{ participant_id: 1, exam_id: 1 }]);
    service.emulator.control.startExam({ participant_id: 1, exam_id: 1 });
    service.emulator.control.finishExam({ participant_id: 1, exam_id: 1, score: 87.5 });
    expect((await receiver.arrival(1)).text).toContain('Zo\\u00eb\\/Ana');
  });

  test('with --since forwards the earlier ones first, and the new ones after them', async () => {
    await using service = await startService();
    await service.deliver('exam_result.scored');
    let run: Run | undefined;
    await using receiver = await startReceiver(() => (run ? secretShown(run) : ''));
    await using started = listen(service, receiver.server, '--since', '1h');
    run = started;
    await receiver.server.arrival(1);
    await run.shows('204');
    await run.shows(await service.deliver());
    await run.stop();
    expect(receiver.handled.map(({ event }) => event)).toEqual([
      'exam_result.scored',
      'exam_result.completed',
    ]);
  });

  test('takes the secret of the environment, and does not show it', async () => {
    await using service = await startService();
    await using receiver = await startReceiver(() => 'whsec_of_mine');
    const args = ['--base-url', service.url, '--endpoint', '1', '--forward-to', receiver.server.url];
    await using run = startCli(['listen', ...args, '--interval', '0.02'], {
      env: { ...env, EXAM_SERVICE_WEBHOOK_SECRET: 'whsec_of_mine' },
    });
    await run.shows('Ctrl+C');
    await run.shows(await service.deliver());
    await run.stop();
    expect(receiver.handled).toHaveLength(1);
    expect(run.stdout).not.toContain('whsec_of_mine');
  });

  test('goes on while the receiver is away, and says that a delivery was not forwarded', async () => {
    await using service = await startService();
    await using run = listen(service, await unusedUrl());
    await run.shows('Ctrl+C');
    const id = await service.deliver();
    await run.shows(new RegExp(`${id} {2}not forwarded: .*ECONNREFUSED`));
    await run.shows(await service.deliver());
    expect(await run.stop()).toBe(0);
  });

  test('shows the status of the receiver', async () => {
    await using service = await startService();
    await using receiver = await startServer([{ status: 500 }, { status: 302, headers: { Location: '/x' } }]);
    await using run = listen(service, receiver);
    await run.shows('Ctrl+C');
    await run.shows(`${await service.deliver()}  500`);
    await run.shows(`${await service.deliver()}  302`);
  });

  test('reports an outage of the service once, and forwards what was delivered meanwhile', async () => {
    await using service = await startService();
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver, '--json');
    await run.shows('"started"');
    const fault = service.emulator.faults.inject({
      on: 'webhooks.deliveries',
      effect: 'respond',
      status: 503,
      times: 5,
    });
    await run.shows('"outage"');
    const id = await service.deliver();
    await run.shows('"back"');
    await run.shows(id);
    expect(fault.struck).toBe(5);
    expect(run.stdout.match(/"outage"/g)).toHaveLength(1);
    expect(run.stdout).toContain('503');
  });

  test('ends with the words of the service when it rejects the client', async () => {
    await using service = await startService();
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver);
    await run.shows('Ctrl+C');
    service.emulator.control.setClientActive(false);
    expect(await run.exitCode).toBe(1);
    expect(run.stderr).toContain('403');
  });

  test.each(['a reset that registered the endpoint again', 'its clock went back'])(
    'goes on after %s, and warns',
    async (what) => {
      const clock = createManualClock();
      let behind = 0;
      await using service = await startService({
        now: () => clock.now() - behind,
        schedule: (...given) => clock.schedule(...given),
      });
      await using receiver = await startServer({ status: 204 });
      await service.deliver();
      await using run = listen(service, receiver);
      await run.shows('Ctrl+C');
      behind = 3_600_000;
      if (what.startsWith('a reset')) {
        service.emulator.reset();
        service.emulator.control.seedWebhooks([{ url: 'https://receiver.example.test/' }]);
      }
      await run.shows(await service.deliver());
      await run.shows(await service.deliver('exam_result.scored'));
      expect(await run.stop()).toBe(0);
      expect(run.stderr).toMatch(/^[^\n]* went back[^\n]*\n$/);
    },
  );

  test('ends where its endpoint was deleted, and says so without a word about the base URL', async () => {
    await using service = await startService();
    await using run = listen(service, 'http://localhost:1/');
    await run.shows('Ctrl+C');
    service.emulator.control.removeWebhook(1);
    expect(await run.exitCode).toBe(1);
    expect(run.stderr).toBe('There is no webhook endpoint 1; the existing ones are: none.\n');
  });

  test('with --json writes an object to a line', async () => {
    await using service = await startService();
    await using run = listen(service, await unusedUrl(), '--json');
    await run.shows('"started"');
    const id = await service.deliver();
    await run.shows(id);
    await run.stop();
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: 'started', endpoint_id: 1, secret: secretShown(run) },
      {
        type: 'forwarded',
        delivery_id: id,
        event: 'exam_result.completed',
        status: null,
        error: expect.any(String),
      },
      { type: 'stopped' },
    ]);
  });

  test('warns of an endpoint that is not active, and ends for one that is not there', async () => {
    await using service = await startService();
    await fetch(`${service.url}/webhooks/1`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ is_active: false }),
    });
    await using run = listen(service, 'http://localhost:1/');
    await run.shows('Ctrl+C');
    expect(run.stderr).toContain('Endpoint 1 is not active');
    await using other = listen(service, 'http://localhost:1/', '--endpoint', '7');
    expect(await other.exitCode).toBe(1);
    expect(other.stderr).toBe('There is no webhook endpoint 7; the existing ones are: 1.\n');
  });
});

const one = ['--endpoint', '1'];
const to = (url: string) => ['--forward-to', url];
const right = [...one, ...to('http://localhost/')];

test.each([
  [to('http://localhost:1/'), '--endpoint, the id of a webhook endpoint, is missing.'],
  [['--endpoint', '0', ...to('http://h/')], '--endpoint needs a whole number of 1 or more, not 0.'],
  [one, '--forward-to, the URL of the receiver, is missing.'],
  [[...one, ...to('localhost:3000')], '--forward-to needs an http or https URL'],
  [[...one, ...to('http://a:b@localhost/')], '--forward-to needs an http or https URL'],
  [[...right, '--since', '1 hour'], '--since needs a time span'],
  [[...right, '--since', '2025-03-01T08:00:00'], '--since needs a time span'],
  [[...right, '--interval', '0'], '--interval needs seconds above 0'],
  [[...right, '3000'], 'Unexpected argument 3000.'],
])('%j is a wrong call', async (args, words) => {
  const run = startCli(['listen', '--base-url', 'https://host/api/v1', ...args], { env });
  expect(await run.exitCode).toBe(2);
  expect(run.stderr).toContain(words);
});

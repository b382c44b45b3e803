import { describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { type Handler, startServer, type TestService, unusedUrl } from '../helpers/server.ts';
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
async function startService(): Promise<Service> {
  const emulator = createEmulator({
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
    const answer = await handle(
      new Request('http://localhost/', { method: 'POST', headers: record, body: text }),
    );
    return { status: answer.ok ? status : answer.status };
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

  test('tells what the receiver answers', async () => {
    await using service = await startService();
    await using receiver = await startServer([{ status: 500 }, { status: 302, headers: { Location: '/x' } }]);
    await using run = listen(service, receiver);
    await run.shows('Ctrl+C');
    await run.shows(`${await service.deliver()}  500`);
    await run.shows(`${await service.deliver()}  302`);
  });

  test('tells of an outage of the service once, and forwards what was delivered meanwhile', async () => {
    await using service = await startService();
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver, '--json');
    await run.shows('"started"');
    const fault = service.emulator.faults.inject({
      on: 'webhooks.deliveries',
      effect: { type: 'respond', status: 503 },
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

  test('ends with the words of the service when it refuses to answer', async () => {
    await using service = await startService();
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver);
    await run.shows('Ctrl+C');
    service.emulator.control.setClientActive(false);
    expect(await run.exitCode).toBe(1);
    expect(run.stderr).toContain('403');
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

/** A service whose list of deliveries stands in an order of its own; endpoint 1. */
function serviceListing(ids: string[], order: 'newest first' | 'oldest first' | 'neither'): Handler {
  const listed = () => {
    if (order === 'oldest first') return ids;
    return order === 'newest first' ? ids.toReversed() : ids.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
  };
  return ({ path, query }) => {
    if (path === '/webhooks') {
      return { body: { success: true, data: [endpoint], meta: { available_events: {} } } };
    }
    const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
    const data = listed()
      .slice((page - 1) * perPage, page * perPage)
      .map((id) => ({ ...delivery, id, created_at: createdAt(id), payload: { id } }));
    const pagination = {
      total: ids.length,
      per_page: perPage,
      current_page: page,
      last_page: Math.max(1, Math.ceil(ids.length / perPage)),
      from: null,
      to: null,
    };
    return {
      headers: { Date: 'Sat, 01 Mar 2025 01:00:00 GMT' },
      body: { success: true, data, meta: { pagination } },
    };
  };
}

const hash = (id: string) => id.split('').toReversed().join('');
/** Seven in a second, so that their times alone do not order them. */
const secondOf = (id: string) => Math.floor(Number(id) / 7);
const createdAt = (id: string) =>
  new Date(Date.parse('2025-03-01T08:00:01+07:00') + secondOf(id) * 1000).toISOString();
const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(first + index).padStart(6, '0'));

const endpoint = {
  id: 1,
  url: 'https://receiver.example.test/',
  description: null,
  events,
  is_active: true,
  is_disabled_by_system: false,
  disabled_at: null,
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
  created_at: '2025-03-01T08:00:00+07:00',
};

const delivery = {
  event: 'exam_result.scored',
  status: 'delivered',
  attempts: 1,
  response_code: 200,
  response_body: '',
  error_message: null,
  delivered_at: null,
};

describe.each(['newest first', 'oldest first', 'neither'] as const)(
  'a service that lists deliveries: %s',
  (order) => {
    test('has each new one forwarded once, in order, and is asked for its ends while there is none', async () => {
      const ids = idsFrom(1, 250);
      await using service = await startServer(serviceListing(ids, order));
      await using receiver = await startServer({ status: 204 });
      await using run = listen(service, receiver, '--since', '2025-03-01T00:00:00Z');
      await run.shows('000250');
      await receiver.arrival(250);
      const quiet = service.requests.length + 2;
      await service.arrival(quiet + 6);
      const asked = service.requests.slice(quiet).map(({ query }) => query.get('page'));
      expect(new Set(asked)).toEqual(new Set(['1', '3']));
      ids.push(...idsFrom(251, 120));
      await receiver.arrival(370);
      await service.arrival(service.requests.length + 3);
      await run.stop();
      const forwarded = receiver.requests.map(({ text }): string => JSON.parse(text).data.id);
      expect(forwarded.toSorted()).toEqual(idsFrom(1, 370));
      if (order !== 'neither') expect(forwarded).toEqual(idsFrom(1, 370));
      for (const part of [forwarded.slice(0, 250), forwarded.slice(250)]) {
        expect(part.map(secondOf)).toEqual(part.map(secondOf).toSorted((a, b) => a - b));
      }
    });
  },
);

test.each(['newest first', 'oldest first'] as const)(
  'a list of deliveries, %s, that drops as many old ones has the new ones forwarded',
  async (order) => {
    const ids = idsFrom(1, 250);
    const list = serviceListing(ids, order);
    await using service = await startServer((request, exchange) => {
      const isBeyond = Number(request.query.get('page') ?? 1) > Math.ceil(ids.length / 100);
      return isBeyond ? { status: 404, body: {} } : list(request, exchange);
    });
    await using receiver = await startServer({ status: 204 });
    await using run = listen(service, receiver, '--since', createdAt('000245'));
    await receiver.arrival(6);
    for (const [first, dropped] of [
      [251, 10],
      [261, 10],
      [271, 200],
    ] as const) {
      ids.push(...idsFrom(first, 10));
      ids.splice(0, dropped);
      await run.shows(String(first + 9).padStart(6, '0'));
    }
    await run.stop();
    const forwarded = receiver.requests.map(({ text }): string => JSON.parse(text).data.id);
    expect(forwarded).toEqual(idsFrom(245, 36));
  },
);

test('more deliveries than memory is meant for are refused, with what to do', async () => {
  await using service = await startServer(serviceListing(idsFrom(1, 10_050), 'newest first'));
  await using run = listen(service, 'http://localhost:1/', '--since', '2025-03-01T00:00:00Z');
  expect(await run.exitCode).toBe(1);
  expect(run.stderr).toContain('choose a shorter --since');
});

test.each([
  [['--forward-to', 'http://localhost:1/'], '--endpoint, the id of a webhook endpoint, is missing.'],
  [
    ['--endpoint', '0', '--forward-to', 'http://localhost:1/'],
    '--endpoint needs a whole number of 1 or more, not 0.',
  ],
  [['--endpoint', '1'], '--forward-to, the URL of the receiver, is missing.'],
  [['--endpoint', '1', '--forward-to', 'localhost:3000'], '--forward-to needs an http or https URL'],
  [['--endpoint', '1', '--forward-to', 'http://a:b@localhost/'], '--forward-to needs an http or https URL'],
  [
    ['--endpoint', '1', '--forward-to', 'http://localhost/', '--since', '1 hour'],
    '--since needs a time span',
  ],
  [
    ['--endpoint', '1', '--forward-to', 'http://localhost/', '--since', '2025-03-01T08:00:00'],
    '--since needs a time span',
  ],
  [
    ['--endpoint', '1', '--forward-to', 'http://localhost/', '--interval', '0'],
    '--interval needs seconds above 0',
  ],
  [['--endpoint', '1', '--forward-to', 'http://localhost/', '3000'], 'Unexpected argument 3000.'],
])('%j is a wrong call', async (args, words) => {
  const run = startCli(['listen', '--base-url', 'https://host/api/v1', ...args], { env });
  expect(await run.exitCode).toBe(2);
  expect(run.stderr).toContain(words);
});

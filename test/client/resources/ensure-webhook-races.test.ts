import { describe, expect, test } from 'vitest';
import {
  ApiError,
  type EnsuredWebhook,
  type ExamClient,
  InternalServerError,
  type WebhookCreate,
  type WebhookEventName,
} from '../../../src/index.ts';
import { fresh } from '../../fixtures/responses/webhooks.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';

const wanted: WebhookCreate = { url: 'https://receiver.example.test/hooks', events: ['exam_result.scored'] };

interface Stored {
  readonly id: number;
  readonly secret: string;
  url: string;
  events: readonly string[];
  created_at: string;
}

/** The endpoints of a service. Those of somebody else are there from the beginning. */
class Service {
  readonly endpoints: Stored[] = [];
  readonly requests: string[] = [];
  /** Endpoints that are registered in one second. */
  perSecond = 1;
  listsNewestFirst = false;
  #lastId = 0;

  constructor() {
    this.add('https://other.example.test/');
  }

  add(url = wanted.url, events: readonly string[] = wanted.events): Stored {
    this.#lastId += 1;
    const seconds = Math.floor(this.#lastId / this.perSecond);
    const created_at = new Date(1_740_000_000_000 + seconds * 1_000).toISOString();
    const endpoint = { id: this.#lastId, secret: `whsec_${this.#lastId}`, url, events, created_at };
    this.endpoints.push(endpoint);
    return endpoint;
  }

  /** Those with the address of the test. */
  get registered(): Stored[] {
    return this.endpoints.filter(({ url }) => url === wanted.url);
  }

  handle(method: string, path: string, body: WebhookCreate | undefined): Response {
    this.requests.push(method);
    const index = this.endpoints.findIndex(({ id }) => path.endsWith(`/webhooks/${id}`));
    if (method === 'GET') {
      const listed = this.listsNewestFirst ? this.endpoints.toReversed() : this.endpoints;
      return success(listed.map(show), { available_events: {} });
    }
    if (method === 'POST') {
      const created = this.add(body?.url, body?.events);
      return success({ ...show(created), secret: created.secret });
    }
    const endpoint = this.endpoints[index];
    if (endpoint === undefined) return Response.json({ message: 'Not found.' }, { status: 404 });
    if (method === 'PATCH') return success(show(Object.assign(endpoint, body)));
    this.endpoints.splice(index, 1);
    return success(null);
  }

  /** A client for which `intercept` can respond, before or after the service has handled a request. */
  client(intercept: (method: string, handle: () => Response) => Response | Promise<Response>): ExamClient {
    return createClient({
      ...nowhere,
      fetch: async (url, { method, body, signal }) => {
        signal?.throwIfAborted();
        return intercept(method, () =>
          this.handle(method, new URL(url).pathname, body ? JSON.parse(body) : undefined),
        );
      },
    });
  }
}

const success = (data: unknown, meta?: object) => Response.json({ success: true, message: null, data, meta });

const show = ({ secret: _, ...endpoint }: Stored) => ({ ...endpoint, ...fresh });

describe('two calls of one client at the same time', () => {
  test('are one registration, whose result both get', async () => {
    const service = new Service();
    const { webhooks } = service.client((_, handle) => handle());
    const results = await Promise.all([
      webhooks.ensure(wanted),
      webhooks.ensure({ ...wanted, url: 'HTTPS://Receiver.example.test:443/hooks' }),
      webhooks.ensure(wanted),
    ]);
    expect(service.registered).toHaveLength(1);
    expect(results[2]).toEqual(results[0]);
    expect(results).toMatchObject([
      { created: true, secret: 'whsec_2' },
      { created: true, secret: 'whsec_2', endpoint: { id: 2 } },
      { created: true, secret: 'whsec_2' },
    ]);
  });

  test('with other events run one after the other', async () => {
    const service = new Service();
    const { webhooks } = service.client((_, handle) => handle());
    const others: WebhookEventName[] = ['exam_result.completed'];
    const [first, second] = await Promise.all([
      webhooks.ensure(wanted),
      webhooks.ensure({ ...wanted, events: others }),
    ]);
    expect(first).toMatchObject({ created: true, endpoint: { events: wanted.events } });
    expect(second).toMatchObject({ created: false, secret: null, endpoint: { events: others } });
    expect(service.registered).toMatchObject([{ id: 2, events: others }]);
  });

  test('fail each by a request of its own, and the next call starts again', async () => {
    const service = new Service();
    let isUp = false;
    let failed = 0;
    const { webhooks } = service.client((_, handle) => {
      if (isUp) return handle();
      failed += 1;
      return new Response('{}', { status: 500 });
    });
    const calls = [webhooks.ensure(wanted), webhooks.ensure(wanted)];
    await Promise.all(calls.map((call) => failure(call, InternalServerError)));
    expect(failed).toBe(2);
    isUp = true;
    expect(await webhooks.ensure(wanted)).toMatchObject({ created: true });
  });

  test('are aborted each by its own signal', async () => {
    const service = new Service();
    const { webhooks } = service.client(async (_, handle) => {
      await nextTurn();
      return handle();
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [
      rejection(webhooks.ensure(wanted, { signal: first.signal })),
      rejection(webhooks.ensure(wanted, { signal: second.signal })),
    ];
    const third = webhooks.ensure(wanted);
    first.abort('first');
    second.abort('second');
    expect(await Promise.all(calls)).toEqual(['first', 'second']);
    expect(await third).toMatchObject({ created: true });
    expect(service.registered).toHaveLength(1);
  });
});

/** Lets requests of two clients through in the order of `turns`, and then those of the first one that has any. */
async function race(service: Service, inputs: readonly WebhookCreate[], turns: readonly number[]) {
  const pending = new Map<number, () => void>();
  const ended = new Set<number>();
  const results = inputs.map(async (input, index) => {
    const { webhooks } = service.client(async (_, handle) => {
      await new Promise<void>((resolve) => pending.set(index, resolve));
      return handle();
    });
    return webhooks.ensure(input).finally(() => ended.add(index));
  });
  const taken: number[] = [];
  while (ended.size < inputs.length) {
    while (pending.size + ended.size < inputs.length) await nextTurn();
    if (pending.size === 0) break;
    const waiting = [...pending.keys()].sort();
    const turn = waiting.length > 1 ? (turns[taken.length] ?? 0) : 0;
    if (waiting.length > 1) taken.push(turn);
    const index = waiting[turn] ?? 0;
    pending.get(index)?.();
    pending.delete(index);
    await nextTurn();
  }
  return { taken, results: await Promise.all(results) };
}

/** Every order in which the requests of two clients can reach the service. */
async function everyInterleaving(
  start: () => { service: Service; inputs: readonly WebhookCreate[] },
  check: (service: Service, results: readonly EnsuredWebhook[], order: string) => void,
): Promise<number> {
  let turns: number[] = [];
  for (let count = 1; ; count += 1) {
    const { service, inputs } = start();
    const { taken, results } = await race(service, inputs, turns);
    check(service, results, taken.join(''));
    while (taken.at(-1) === 1) taken.pop();
    if (taken.length === 0) return count;
    turns = taken.with(-1, 1);
  }
}

describe('two processes at the same time', () => {
  test.each([
    ['each in another second', { perSecond: 1 }],
    ['within one second', { perSecond: 1_000 }],
    ['within one second, the newest listed first', { perSecond: 1_000, listsNewestFirst: true }],
  ])('leave one endpoint in every interleaving, whose secret one of them has: %s', async (_, service) => {
    let races = 0;
    const count = await everyInterleaving(
      () => ({ service: Object.assign(new Service(), service), inputs: [wanted, wanted] }),
      ({ endpoints, registered, requests }, results, order) => {
        expect(registered, order).toHaveLength(1);
        expect(endpoints, order).toHaveLength(2);
        expect(results.map(({ endpoint }) => endpoint.id)).toEqual([registered[0]?.id, registered[0]?.id]);
        const [creator, ...others] = results.filter(({ created }) => created);
        expect(others, order).toEqual([]);
        expect(creator?.secret, order).toBe(registered[0]?.secret);
        expect(results.map(({ secret }) => secret)).toContain(null);
        if (requests.includes('DELETE')) races += 1;
      },
    );
    expect(count).toBeGreaterThan(races);
    expect(races).toBeGreaterThan(10);
  });

  test('that want other events leave one endpoint, with the events of one of them', async () => {
    const other: WebhookCreate = { ...wanted, events: ['exam_result.completed'] };
    await everyInterleaving(
      () => ({ service: new Service(), inputs: [wanted, other] }),
      ({ registered }, results, order) => {
        expect(registered, order).toHaveLength(1);
        expect([wanted.events, other.events], order).toContainEqual(registered[0]?.events);
        expect(results.map(({ endpoint }) => endpoint.events)).toEqual([wanted.events, other.events]);
      },
    );
  });
});

describe('when another process has registered the address first', () => {
  /** A client whose registration comes a moment after that of another process. `fail` responds to the DELETE. */
  function late(fail: (handle: () => Response) => Response) {
    const service = new Service();
    const client = service.client((method, handle) => {
      if (method === 'POST') service.add();
      return method === 'DELETE' ? fail(handle) : handle();
    });
    return { service, client };
  }

  test('removes its own, again where the response is lost, and returns the other', async () => {
    let isFirst = true;
    const { service, client } = late((handle) => {
      const response = handle();
      if (!isFirst) return response;
      isFirst = false;
      throw new TypeError('fetch failed');
    });
    const { webhooks } = client.withOptions({ maxRetries: 1 });
    expect(await webhooks.ensure(wanted)).toMatchObject({
      created: false,
      secret: null,
      endpoint: { id: 2 },
    });
    expect(service.registered).toMatchObject([{ id: 2 }]);
    expect(service.requests).toEqual(['GET', 'POST', 'GET', 'DELETE', 'DELETE']);
  });

  test('fails if its own cannot be removed, and names it', async () => {
    const { service, client } = late(() => Response.json({ message: 'Down.' }, { status: 500 }));
    const error = await failure(client.webhooks.ensure(wanted), InternalServerError);
    expect(error).toMatchObject({ operation: 'webhooks.ensure' });
    expect(error.message).toContain('/webhooks/3');
    expect(service.registered).toHaveLength(2);
  });

  test("takes no gateway's page for a removal", async () => {
    const { service, client } = late(gatewayPage);
    expect(await failure(client.webhooks.ensure(wanted), ApiError)).toMatchObject({ status: 404 });
    expect(service.registered).toHaveLength(2);
  });
});

const gatewayPage = () =>
  new Response('<html><title>404 Not Found</title></html>', {
    status: 404,
    headers: { 'Content-Type': 'text/html' },
  });

test('a list that cannot be read after the registration does not cost the secret', async () => {
  const service = new Service();
  const client = service.client((method, handle) => {
    if (method === 'GET' && service.requests.includes('POST')) return gatewayPage();
    return handle();
  });
  expect(await client.webhooks.ensure(wanted)).toMatchObject({ created: true, secret: 'whsec_2' });
});

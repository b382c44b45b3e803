import {
  ConnectionError,
  ExamClient,
  RedirectError,
  TimeoutError,
  UnprocessableEntityError,
} from 'exam-service-sdk';
import { loadLibrary } from './libraries.js';
import { withSilentService } from './silent-service.js';
import { describe, equal, expect, rejection, runSteps } from './steps.js';

/** Node 20 warns of more than ten listeners of a signal. */
const many = 16;

/**
 * What a user does with the `fetch` of a library. `names` are the steps to take; see `lib/fetch-service.ts` for the
 * environment.
 *
 * @returns by the name of each step `ok`, or what went wrong
 */
export async function runFetchScenario(name, names, environment) {
  const library = await loadLibrary(name);
  const { baseUrl, apiKey } = environment;
  const connect = (options) => new ExamClient({ baseUrl, apiKey, fetch: library.fetch, ...options });
  const chosen = Object.fromEntries(names.map((step) => [step, steps[step]]));
  return runSteps(chosen, { connect, library, ...environment });
}

const steps = {
  async import({ connect, participants }) {
    const { data, meta } = await connect().participants.import(participants).withResponse();
    equal(meta.status, 201, 'status of an import');
    expect(meta.headers.get('content-type')?.startsWith('application/json'), 'an import has no headers');
    expect(typeof data.message === 'string' || data.message === null, 'an import has no acknowledgement');
    const listed = await connect().participants.list().toArray({ maxItems: 100 });
    const emails = listed.map(({ email }) => email);
    for (const { email } of participants) expect(emails.includes(email), `${email} was not imported`);
  },

  async pages({ connect, examIds }) {
    const seen = [];
    let pages = 0;
    const hooks = { onRequest: () => pages++ };
    for await (const { id } of connect({ hooks }).exams.list({ limit: examIds.length / 2 })) seen.push(id);
    equal(pages, 2, 'pages');
    equal(inOrder(seen), inOrder(examIds), 'ids that the iteration gave');
  },

  async 'field errors'({ connect }) {
    const request = {
      method: 'POST',
      path: '/participants/import',
      auth: 'clientKey',
      body: { participants: [] },
    };
    const error = await rejection(connect().request(request));
    expect(error instanceof UnprocessableEntityError, `an empty import: ${describe(error)}`);
    expect('participants' in error.fieldErrors, 'the rejected field is not named');
  },

  async redirect({ connect }) {
    const error = await rejection(connect().exams.retrieve(1));
    expect(error instanceof RedirectError, `a redirect: ${describe(error)}`);
    equal(error.status, 302, 'status of a redirect');
    expect(error.location?.endsWith('/exams/1'), `a redirect to ${error.location}`);
  },

  async timeout({ connect }) {
    const responders = [() => {}, beginResponse];
    for (const respond of responders) {
      await withSilentService(respond, async (baseUrl) => {
        const client = connect({ baseUrl, timeout: 100, maxRetries: 0 });
        const error = await rejection(client.exams.list());
        expect(error instanceof TimeoutError, `no response in time: ${describe(error)}`);
        equal(error.timeoutMs, 100, 'timeoutMs of the error');
      });
    }
  },

  async abort({ connect }) {
    const reason = new Error('no longer needed');
    // Before a response, and while its body arrives.
    for (const respond of [() => {}, beginResponse]) {
      const controller = new AbortController();
      const abort = () => controller.abort(reason);
      const onRequest = (response) => {
        respond(response);
        if (!response.headersSent) abort();
      };
      await withSilentService(onRequest, async (baseUrl) => {
        const client = connect({ baseUrl, hooks: { onResponse: abort } });
        const error = await rejection(client.exams.list({}, { signal: controller.signal }));
        expect(error === reason, `an abort rejects with ${describe(error)}`);
      });
    }
  },

  async rejected({ connect, closedUrl, participants }) {
    const retried = [];
    const hooks = { onRetry: ({ error }) => void retried.push(error) };
    const client = connect({ baseUrl: closedUrl, maxRetries: 1, hooks });
    // Not idempotent: retried only because the first attempt cannot have reached the service.
    const error = await rejection(client.participants.import(participants));
    expect(error instanceof ConnectionError, `a refused connection: ${describe(error)}`);
    expect(retried.length === 1 && retried[0] instanceof ConnectionError, `${retried.length} retries`);
    equal(error.attempts, 2, 'attempts');
    expect(error.message.includes('ECONNREFUSED'), `the reason is not reported: ${error.message}`);
  },

  async 'one signal'({ connect, examIds }) {
    const { signal } = new AbortController();
    const client = connect();
    const calls = examIds
      .slice(1, many + 1)
      .map((id) => (read) => read(client.exams.retrieve(id, { signal })));
    const reads = [
      (call) => call,
      async (call) => (await call.withResponse()).data,
      async (call) => (await (await call.asResponse()).json()).data,
    ];
    for (const read of reads) {
      const exams = await Promise.all(calls.map((call) => call(read)));
      equal(inOrder(exams.map(({ id }) => id)), inOrder(examIds.slice(1, many + 1)), 'ids of exams');
    }
    const seen = [];
    const bounds = { signal, concurrency: many };
    for await (const { id } of client.exams.list({ limit: 1 }, bounds)) seen.push(id);
    equal(inOrder(seen), inOrder(examIds), 'ids that the iteration gave');
    const rows = examIds.map((id) => ({
      email: `row-${id}@example.test`,
      name: `Row ${id}`,
      password: 'dune-396',
    }));
    const { imported } = await client.participants.importAll(rows, {
      signal,
      concurrency: many,
      batchSize: 1,
    });
    equal(imported, rows.length, 'rows that were imported');
  },

  async 'private authority'({ connect, library: { option, trust }, secureUrl, strangerUrl, authority }) {
    const agent = trust?.(authority);
    const fetchOptions = agent && { [option]: agent };
    try {
      const page = await connect({ baseUrl: secureUrl, fetchOptions }).exams.list({ limit: 1 });
      equal(page.data.length, 1, 'length of a page');
      const stranger = connect({ baseUrl: strangerUrl, fetchOptions, maxRetries: 0 });
      const error = await rejection(stranger.exams.list());
      expect(error instanceof ConnectionError, `an unknown authority: ${describe(error)}`);
    } finally {
      await agent?.destroy();
    }
  },

  async proxy({ connect, library: { trust, tunnel }, secureUrl, proxyUrl, authority }) {
    const [direct, first, second] = [
      trust(authority),
      tunnel(proxyUrl, authority),
      tunnel(proxyUrl, authority),
    ];
    try {
      const tunnelled = connect({ baseUrl: secureUrl, fetchOptions: { dispatcher: first } });
      equal((await tunnelled.exams.list({ limit: 1 })).data.length, 1, 'length of a page');
      await tunnelled.participants.import([
        { email: 'cici@example.test', name: 'Cici', password: 'elm-497' },
      ]);
      const client = connect({ baseUrl: secureUrl, fetchOptions: { dispatcher: direct } });
      await client.exams.list({ limit: 1 });
      // The options of a call override those of the client.
      await client.exams.list({ limit: 1 }, { fetchOptions: { dispatcher: second } });
    } finally {
      await Promise.all([direct, first, second].map((agent) => agent.destroy()));
    }
  },
};

function beginResponse(response) {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"data":[');
}

function inOrder(ids) {
  return ids.toSorted((a, b) => a - b).join();
}

import { AuthenticationError, ConfigurationError, ConnectionError, ExamClient } from 'exam-service-sdk';
import * as z from 'zod';
import { countLostCalls } from './lost-calls.js';
import { runScenario } from './scenario.js';
import { describe, equal, expect, rejection, runSteps } from './steps.js';

/** Calls of `Function` as a constructor or a function: what a strict policy forbids. */
let compilations = 0;
const Compiler = globalThis.Function;
globalThis.Function = new Proxy(Compiler, {
  construct: (target, parameters) => {
    compilations += 1;
    return Reflect.construct(target, parameters);
  },
  apply: (target, self, parameters) => {
    compilations += 1;
    return Reflect.apply(target, self, parameters);
  },
});

/** Leaves the call of the test's tool, in which Chromium does not apply the page's policy to compilation. */
const ownTask = () => new Promise((resolve) => setTimeout(resolve));

const hostSteps = {
  async 'navigator.locks'(client, stranger, count) {
    // The second waits until the first gives the lock back.
    for (const _ of 'twice') {
      const page = await navigator.locks.request('list', async () => client.exams.list());
      equal(page.data.length, count, 'exams that were listed');
    }
    const error = await rejection(navigator.locks.request('list', () => stranger.exams.list()));
    expect(error instanceof AuthenticationError, `a wrong key: ${describe(error)}`);
    const { held } = await navigator.locks.query();
    equal(held.length, 0, 'locks still held');
  },

  async ReadableStream(client, _stranger, count) {
    const call = client.exams.list();
    const source = {
      start: () => call,
      pull: async (controller) => controller.enqueue((await call).data.length),
    };
    const { value } = await new ReadableStream(source).getReader().read();
    equal(value, count, 'exams that were listed');
  },
};

/** What the test asks of the page. */
globalThis.scenario = {
  async run(environment) {
    await ownTask();
    return runScenario(environment);
  },

  /** The user's own zod: how it is configured, and how often reading an object compiled code. */
  async userZod(settings) {
    await ownTask();
    if (settings) z.config(settings);
    const before = compilations;
    const read = z.object({ id: z.number() }).parse({ id: 7 });
    return { id: read.id, jitless: z.config().jitless ?? null, compiled: compilations - before };
  },

  compilations: () => compilations,

  /** What waits for a call by itself. */
  async hosts({ baseUrl, apiKey, examIds }) {
    const connect = (key) => new ExamClient({ baseUrl, apiKey: key, dangerouslyAllowBrowser: true });
    const [client, stranger] = [connect(apiKey), connect('another-key')];
    const onLost = (report) => {
      addEventListener('unhandledrejection', (event) => {
        event.preventDefault();
        report(event.reason);
      });
    };
    return {
      ...(await runSteps(hostSteps, client, stranger, examIds.length)),
      ...(await countLostCalls(stranger, onLost)),
    };
  },

  /** What happens to a key in a page, without the flag. */
  guard(baseUrl) {
    try {
      new ExamClient({ baseUrl, apiKey: 'secret-key' });
      return 'accepted';
    } catch (error) {
      if (!(error instanceof ConfigurationError)) return `${error}`;
      new ExamClient({ baseUrl, apiKey: null });
      return error.message.includes('secret-key') ? 'the key is shown' : 'rejected';
    }
  },

  /** A service that sends no CORS headers. */
  async foreign(baseUrl) {
    const client = new ExamClient({ baseUrl, apiKey: 'k', dangerouslyAllowBrowser: true, maxRetries: 0 });
    try {
      await client.exams.list();
      return 'a response';
    } catch (error) {
      return error instanceof ConnectionError ? 'connection' : `${error}`;
    }
  },

  /** A call under way when the reader leaves; its end is kept for the next page to read. */
  leave(baseUrl) {
    const client = new ExamClient({ baseUrl, apiKey: null });
    const controller = new AbortController();
    addEventListener('pagehide', () => controller.abort(new Error('the page was left')));
    client.exams.retrieve(2, { signal: controller.signal }).catch((error) => {
      sessionStorage.setItem('end', error.message);
    });
  },
};

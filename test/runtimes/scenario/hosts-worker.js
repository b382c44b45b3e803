import { ExamClient } from 'exam-service-sdk';
import { countLostCalls } from './lost-calls.js';
import { describe, equal, expect, rejection, runSteps } from './steps.js';

/** How often a request that is still alive says so, in milliseconds. */
const beat = 50;

const connect = ({ TEST_ENVIRONMENT: { baseUrl, apiKey } }) => new ExamClient({ baseUrl, apiKey });
const connectAsStranger = ({ TEST_ENVIRONMENT: { baseUrl } }) =>
  new ExamClient({ baseUrl, apiKey: 'another-key' });

/** A Durable Object that sends no response before its first call has ended. */
export class Prepared {
  constructor(state, env) {
    this.state = state;
    this.client = connect(env);
    state.blockConcurrencyWhile(() => {
      this.first = this.client.exams.list();
      return this.first;
    });
  }

  async fetch() {
    const again = await this.state.blockConcurrencyWhile(async () => this.client.exams.list());
    return Response.json([(await this.first).data.length, again.data.length]);
  }
}

/** A Durable Object whose first call fails. */
export class Rejected {
  constructor(state, env) {
    state.blockConcurrencyWhile(() => connectAsStranger(env).exams.list());
  }

  fetch() {
    return new Response('it was started');
  }
}

const ask = (namespace) => namespace.get(namespace.idFromName('one')).fetch('http://object.test/');

const steps = {
  async blockConcurrencyWhile({ PREPARED, TEST_ENVIRONMENT }) {
    const lengths = await (await ask(PREPARED)).json();
    equal(lengths.join(), Array(2).fill(TEST_ENVIRONMENT.examIds.length).join(), 'exams that were listed');
  },

  async 'blockConcurrencyWhile, rejected'({ REJECTED }) {
    const error = await rejection(ask(REJECTED));
    expect(describe(error).includes('exams.list'), `the object failed with ${describe(error)}`);
  },
};

export const worker = {
  async fetch(request, env, context) {
    switch (new URL(request.url).pathname) {
      case '/steps':
        return Response.json(await runSteps(steps, env));
      case '/lost-calls':
        return Response.json(await countLostCalls(connectAsStranger(env), onLost));
      default: {
        // The request lives for as long as the call, and no longer: then the beat stops.
        context.waitUntil(connect(env).exams.list());
        keepBeating(env);
        return new Response(null, { status: 202 });
      }
    }
  },
};

function onLost(report) {
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
}

async function keepBeating(env) {
  const client = connect(env);
  for (;;) {
    await client.participants.list();
    await new Promise((resolve) => setTimeout(resolve, beat));
  }
}

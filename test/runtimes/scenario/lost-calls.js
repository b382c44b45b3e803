import { rejection } from './steps.js';

/** How long a report that is due may take, in milliseconds. */
const limit = 10_000;

/** Ways to use a failing call that leave its failure to nobody. */
const unhandled = {
  'nothing at all': (call) => void call(),
  'then without a second function': (call) => void call().then(() => {}),
  finally: (call) => void call().finally(() => {}),
  withResponse: (call) => void call().withResponse(),
  asResponse: (call) => void call().asResponse(),
  toArray: (call) => void call().toArray({ maxItems: 1 }),
  'toArray without its bound': (call) => void call().toArray(),
};

/** Ways to use a failing call that handle its failure. */
const handled = {
  await: (call) => rejection(call()),
  catch: (call) => call().catch(() => {}),
  'then with a second function': (call) => call().then(null, () => {}),
  'the native then': (call) => Promise.prototype.then.call(call(), null, () => {}),
  'finally and catch': (call) =>
    call()
      .finally(() => {})
      .catch(() => {}),
  withResponse: (call) => rejection(call().withResponse()),
  asResponse: (call) => rejection(call().asResponse()),
  'asResponse later': async (call) => {
    const late = call();
    await rejection(late);
    await rejection(late.asResponse());
  },
  'data and response': (call) => {
    const both = call();
    return Promise.allSettled([both, both.withResponse()]);
  },
  'iteration by items': (call) => rejection(iterate(call())),
  'iteration by pages': (call) => rejection(iterate(call().pages())),
  toArray: (call) => rejection(call().toArray({ maxItems: 1 })),
  'toArray without its bound': (call) => rejection(call().toArray()),
  'Promise.resolve': (call) => rejection(Promise.resolve(call())),
  'Promise.all': (call) => rejection(Promise.all([call(), call()])),
  'Promise.race': (call) => rejection(Promise.race([call(), call()])),
  'Promise.any': (call) => rejection(Promise.any([call(), call()])),
  'Promise.allSettled': (call) => Promise.allSettled([call(), call()]),
  'an async function': (call) => rejection((async () => call())()),
};

/**
 * Counts the unhandled rejections of calls that fail before they are sent and of calls that the service rejects.
 *
 * @param stranger a client whose key the service does not know
 * @param subscribe takes the function to be called with every unhandled rejection of the platform
 */
export async function countLostCalls(stranger, subscribe) {
  const reports = [];
  subscribe((reason) => reports.push(reason));
  const calls = {
    'before it is sent': () => stranger.exams.list({ page: 0 }),
    'by the service': () => stranger.exams.list(),
  };
  const wrong = { once: [], never: [] };
  for (const [when, call] of Object.entries(calls)) {
    for (const [name, use] of Object.entries(unhandled)) {
      reports.length = 0;
      use(call);
      for (const end = Date.now() + limit; reports.length === 0 && Date.now() < end; ) await turn();
      await turns();
      if (reports.length !== 1) wrong.once.push(`${name}, rejected ${when}: ${reports.length} times`);
    }
    for (const [name, use] of Object.entries(handled)) {
      reports.length = 0;
      await use(call);
      await turns();
      if (reports.length !== 0) wrong.never.push(`${name}, rejected ${when}: ${reports.length} times`);
    }
  }
  return {
    'reported once': wrong.once.join('; ') || 'ok',
    'not reported when handled': wrong.never.join('; ') || 'ok',
  };
}

async function iterate(iterable) {
  for await (const _ of iterable);
}

function turn() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Lets the platform report what is due. */
async function turns() {
  for (let count = 0; count < 3; count += 1) await turn();
}

import process from 'node:process';
import { ExamClient, PermissionDeniedError } from 'exam-service-sdk';
import { createProxyHandler } from 'exam-service-sdk/proxy';
import { describe, equal, expect, rejection, runSteps } from './steps.js';

/** The client of a page in front of a proxy that is a function of this runtime. */
function connect({ baseUrl, apiKey, examIds: [exam_id] }) {
  const proxy = createProxyHandler({
    baseUrl,
    apiKey,
    // Longer than the check waits for the process, which ends by itself: nothing of a request with a response keeps it alive.
    timeout: 600_000,
    allow: ['exams.list', 'examResults.list', 'participants.import'],
    authorize: (request, { operation }) => {
      if (request.headers.get('authorization') !== 'Bearer of-the-page') return null;
      return operation === 'examResults.list' ? { query: { exam_id } } : true;
    },
  });
  const fetch = (url, { signal: _, ...init }) => proxy(new Request(url, init));
  const page = { baseUrl: 'https://school.example.test/api/v1', apiKey: null, maxRetries: 0, fetch };
  return {
    proxy,
    client: new ExamClient({ ...page, headers: { authorization: 'Bearer of-the-page' } }),
    stranger: new ExamClient(page),
  };
}

const steps = {
  async allowed({ client }, { examIds, participants }) {
    equal((await client.exams.list()).data.length, examIds.length, 'exams through the proxy');
    await client.participants.import(participants);
  },

  async forced({ client }, { examIds }) {
    const results = await client.examResults.list({ exam_id: examIds[1] });
    equal(results.data.length, 1, 'results of the exam that is forced');
    equal(results.data[0].exam.id, examIds[0], 'the exam of the results');
  },

  async rejected({ client, stranger, proxy }) {
    const error = await rejection(client.participants.list());
    expect(error instanceof PermissionDeniedError, `another operation: ${describe(error)}`);
    equal((await rejection(stranger.exams.list())).status, 401, 'status for a stranger');
    const headers = { 'sec-fetch-site': 'cross-site', authorization: 'Bearer of-the-page' };
    const foreign = await proxy(new Request('https://school.example.test/api/v1/exams', { headers }));
    equal(foreign.status, 403, 'status for another origin');
  },

  async 'given up'({ proxy }) {
    const page = new AbortController();
    page.abort();
    const headers = { authorization: 'Bearer of-the-page' };
    const request = new Request('https://school.example.test/api/v1/exams', { headers, signal: page.signal });
    equal((await proxy(request)).ok, false, 'success of a request that was given up');
  },
};

const environment = JSON.parse(process.argv.at(-1));
console.log(JSON.stringify(await runSteps(steps, connect(environment), environment)));

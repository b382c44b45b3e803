import {
  AuthenticationError,
  BadRequestError,
  ExamClient,
  isApiError,
  NotFoundError,
  RedirectError,
  RequestValidationError,
  UnprocessableEntityError,
} from 'exam-service-sdk';
import {
  createWebhookHandler,
  isUnknownEvent,
  safeVerifyWebhook,
  verifyWebhook,
} from 'exam-service-sdk/webhooks';
import { describe, equal, expect, rejection, runSteps } from './steps.js';

/**
 * What a user does with the package, on nothing but the web platform, so that it runs wherever that is there.
 * `environment` says where the service is and what it holds; see `lib/service.ts`.
 *
 * @returns by the name of each step `ok`, or what went wrong
 */
export async function runScenario(environment) {
  const { baseUrl, apiKey } = environment;
  const client = new ExamClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true });
  return runSteps(steps, client, environment);
}

const steps = {
  async import(client, { participants }) {
    const { data, meta } = await client.participants.import(participants).withResponse();
    equal(meta.status, 201, 'status of an import');
    expect(typeof data.message === 'string' || data.message === null, 'an import has no acknowledgement');
    const listed = await client.participants.list().toArray({ maxItems: 100 });
    const emails = listed.map(({ email }) => email);
    for (const { email } of participants) expect(emails.includes(email), `${email} was not imported`);
  },

  async 'assign and link'(client, { examIds: [exam_id] }) {
    const participant_id = (await client.participants.list()).data[0].id;
    await client.examParticipants.assign({ participant_id, exam_id });
    const { url } = await client.examParticipants.link({ participant_id, exam_id });
    expect(new URL(url).protocol.startsWith('http'), `${url} is no web address`);
  },

  async pages(client, { examIds, resultCount }) {
    const first = await client.exams.list({ limit: 2 });
    equal(first.data.length, 2, 'length of a page');
    expect(first.hasNextPage(), 'the first page says that it is the last');
    const seen = [];
    for await (const exam of client.exams.list({ limit: 2 })) seen.push(exam.id);
    equal(seen.sort((a, b) => a - b).join(), examIds.join(), 'ids that the iteration gave');
    const results = new Set();
    for await (const result of client.examResults.list({ limit: 2 })) results.add(JSON.stringify(result));
    equal(results.size, resultCount, 'different results that the iteration gave');
    const filtered = await client.examResults.list({ exam_id: examIds[0] }).toArray({ maxItems: 100 });
    equal(filtered.length, 1, 'results of one exam');
  },

  async errors(client, { baseUrl, examIds: [exam_id] }) {
    const pair = { participant_id: (await client.participants.list()).data[0].id, exam_id };
    const taken = await rejection(client.examParticipants.assign(pair));
    expect(taken instanceof BadRequestError && isApiError(taken), `assigned twice: ${describe(taken)}`);
    equal(taken.status, 400, 'status of an error');
    const missing = await rejection(client.examParticipants.link({ ...pair, exam_id: 987_654 }));
    expect(missing instanceof NotFoundError, `an unknown exam: ${describe(missing)}`);
    const invalid = await rejection(
      client.request({
        method: 'POST',
        path: '/participants/import',
        auth: 'clientKey',
        body: { participants: [] },
      }),
    );
    expect(invalid instanceof UnprocessableEntityError, `an empty import: ${describe(invalid)}`);
    expect('participants' in invalid.fieldErrors, 'the rejected field is not named');
    const unsent = await rejection(client.participants.retrieve(0));
    expect(unsent instanceof RequestValidationError, `an id of 0: ${describe(unsent)}`);
    const stranger = new ExamClient({ baseUrl, apiKey: 'another-key', dangerouslyAllowBrowser: true });
    const error = await rejection(stranger.exams.list());
    expect(error instanceof AuthenticationError, `a wrong key: ${describe(error)}`);
    expect(!describe(error).includes('another-key'), 'an error shows the key');
  },

  async abort(client) {
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    const pending = rejection(client.participants.retrieve(1, { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 20);
    expect((await pending) === reason, 'an abort does not reject with its reason');
  },

  async redirect(client, { opaqueRedirects }) {
    const error = await rejection(client.exams.retrieve(1));
    expect(error instanceof RedirectError, `a redirect: ${describe(error)}`);
    equal(error.status, opaqueRedirects ? 0 : 302, 'status of a redirect');
    expect(opaqueRedirects === (error.location === null), `a redirect to ${error.location}`);
  },

  async webhook(_client, { secret, delivery }) {
    const event = await verifyWebhook(delivery, { secret });
    expect(!isUnknownEvent(event), 'a documented event is unknown');
    equal(event.event, 'exam_result.completed', 'name of the event');
    equal(event.data.score, 87.5, 'score of the event');
    const received = [];
    const handler = createWebhookHandler({
      secret: ['an-older-secret', secret],
      on: { 'exam_result.completed': ({ data }) => void received.push(data.score) },
    });
    equal((await handler(request(delivery))).status, 204, 'response to a delivery');
    equal(received.join(), '87.5', 'scores that were received');
  },

  async 'forged webhook'(_client, { secret, delivery }) {
    const forged = { ...delivery, body: delivery.body.replace('87.5', '97.5') };
    expect(forged.body !== delivery.body, 'the delivery holds no score to forge');
    const verification = await safeVerifyWebhook(forged, { secret });
    equal(verification.ok, false, 'verdict on a forged delivery');
    equal(verification.error.reason, 'signature_mismatch', 'reason of the error');
    const received = [];
    const reasons = [];
    const handler = createWebhookHandler({
      secret,
      on: { 'exam_result.completed': ({ data }) => void received.push(data) },
      onRejected: ({ reason }) => void reasons.push(reason),
    });
    equal((await handler(request(forged))).status, 400, 'response to a forged delivery');
    equal(received.length, 0, 'forged deliveries that were handled');
    equal(reasons.join(), 'signature_mismatch', 'reasons of rejected deliveries');
  },
};

function request({ headers, body }) {
  return new Request('https://receiver.test/webhooks', { method: 'POST', headers, body });
}

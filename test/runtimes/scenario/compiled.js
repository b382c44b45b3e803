import * as sdk from 'exam-service-sdk';
import { verifyWebhook, WebhookVerificationError } from 'exam-service-sdk/webhooks';
import { equal, expect, rejection, runSteps } from './steps.js';

const classes = { ...sdk };

/**
 * Fails calls in every way, with the package compiled for old engines. `environment.otherCopy` is where the same package is as it
 * was published.
 *
 * @returns by the name of each step `ok`, or what went wrong
 */
export function runCompiled(environment) {
  return runSteps(steps, environment);
}

const steps = {
  async 'classes of errors'() {
    for (const [name, fetch, options, fields] of failures()) {
      const error = await rejection(connect(sdk, fetch, options).exams.retrieve(3));
      expectError(error, name, fields);
      const others = failures().filter(([other]) => other !== name && other !== 'ApiError');
      for (const [other] of others) expect(!(error instanceof classes[other]), `a ${name} is a ${other}`);
    }
  },

  async 'errors before a request'() {
    const client = connect(sdk, async () => Response.json({}));
    expectError(await rejection(client.exams.retrieve(0)), 'RequestValidationError', { outcome: 'not_sent' });
    expectError(await rejection(connecting('nowhere')), 'ConfigurationError', { outcome: 'not_sent' });
    const forged = await rejection(verifyWebhook({ headers: {}, body: '{}' }, { secret: 'a-secret' }));
    equal(forged.name, 'WebhookVerificationError', 'name of an error of a receiver');
    expect(forged instanceof WebhookVerificationError, 'an error of a receiver is not of its class');
    expect(forged instanceof sdk.ExamServiceError, 'an error of a receiver is not of the package');
  },

  async 'errors of another copy'({ otherCopy }) {
    const copy = await import(otherCopy);
    const fetch = async () => Response.json({}, { status: 404 });
    for (const [here, there] of [
      [sdk, copy],
      [copy, sdk],
    ]) {
      expect(here.NotFoundError !== there.NotFoundError, 'the copies are one');
      const error = await rejection(connect(there, fetch).exams.retrieve(3));
      expect(here.isApiError(error), 'a guard does not know an error of another copy');
      for (const name of ['NotFoundError', 'ApiError', 'ExamServiceError'])
        expect(error instanceof here[name], `an error of another copy is no ${name}`);
      expect(!(error instanceof here.RateLimitError), 'a 404 of another copy is a RateLimitError');
    }
  },

  async 'promises of calls'() {
    const client = connect(sdk, async () => Response.json({ id: 3 }));
    const { data, meta } = await client.exams.retrieve(3).withResponse();
    equal([data.id, meta.status].join(), '3,200', 'data and status');
    const derived = client.exams.retrieve(3).then(({ id }) => id);
    expect(!('withResponse' in derived), 'a derived promise is not an ordinary one');
    equal(await derived, 3, 'data of a derived promise');
    equal((await client.exams.retrieve(3).finally(() => {})).id, 3, 'data after `finally`');
  },
};

/** Each way in which a call fails, with fields of its error. */
function failures() {
  const status = (code) => async () => Response.json({ message: 'No.' }, { status: code });
  const ofService = (code, outcome) => ({ status: code, outcome, origin: 'service', serviceMessage: 'No.' });
  return [
    ['BadRequestError', status(400), {}, ofService(400, 'rejected')],
    ['AuthenticationError', status(401), {}, ofService(401, 'rejected')],
    ['PermissionDeniedError', status(403), {}, ofService(403, 'rejected')],
    ['NotFoundError', status(404), {}, ofService(404, 'rejected')],
    ['ApiError', status(409), {}, ofService(409, 'rejected')],
    ['UnprocessableEntityError', status(422), {}, ofService(422, 'rejected')],
    ['RateLimitError', status(429), {}, ofService(429, 'rejected')],
    ['InternalServerError', status(500), {}, ofService(500, 'unknown')],
    ['RedirectError', async () => new Response(null, { status: 301 }), {}, { status: 301 }],
    ['ResponseFormatError', async () => new Response('<html>'), {}, { status: 200, retryable: true }],
    ['ResponseValidationError', async () => Response.json({ id: 'x' }), {}, { outcome: 'done' }],
    ['ConnectionError', () => Promise.reject(new TypeError('reset')), {}, { outcome: 'unknown' }],
    ['TimeoutError', () => new Promise(() => {}), { timeout: 5 }, { scope: 'attempt', timeoutMs: 5 }],
  ];
}

function connect({ ExamClient }, fetch, options = {}) {
  const baseUrl = 'https://service.test/api/v1';
  return new ExamClient({ baseUrl, apiKey: 'a-key', fetch, maxRetries: 0, logLevel: 'off', ...options });
}

async function connecting(baseUrl) {
  return new sdk.ExamClient({ baseUrl, apiKey: 'a-key' });
}

function expectError(error, name, fields) {
  equal(error.name, name, 'name of an error');
  expect(error instanceof classes[name], `a ${name} is not of its class`);
  expect(error instanceof sdk.ExamServiceError && error instanceof Error, `a ${name} is not an error`);
  expect(sdk.isExamServiceError(error), `a guard does not know a ${name}`);
  equal(sdk.isApiError(error), error instanceof sdk.ApiError, `whether a ${name} is an ApiError`);
  expect(error.message !== '' && error.stack.includes(error.message), `a ${name} has no message or stack`);
  for (const [field, value] of Object.entries(fields)) equal(error[field], value, `${field} of a ${name}`);
}

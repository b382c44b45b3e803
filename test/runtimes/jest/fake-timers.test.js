const process = require('node:process');
const { ExamClient, isApiError, NotFoundError } = require('exam-service-sdk');
const { safeVerifyWebhook } = require('exam-service-sdk/webhooks');

// Jest fakes everything that could let time pass: what is awaited here has to settle without any of it.
jest.useFakeTimers();

const { baseUrl, apiKey, examIds, secret, delivery } = JSON.parse(process.env.TEST_ENVIRONMENT);
const client = new ExamClient({ baseUrl, apiKey, logLevel: 'off' });

test('call', async () => {
  const { data, meta } = await client.exams.list({ limit: 1 }).withResponse();
  expect(meta.status).toBe(200);
  expect(data.data.map(({ id }) => id)).toEqual(examIds.slice(0, 1));
});

test('list', async () => {
  const seen = [];
  for await (const { id } of client.exams.list({ limit: 2 })) seen.push(id);
  expect(seen).toEqual(examIds);
});

test('error', async () => {
  const error = await client.participants.update(987654, { name: 'Nobody' }).catch((failure) => failure);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(isApiError(error)).toBe(true);
});

test('a retry waits for the faked clock', async () => {
  let requests = 0;
  const busyOnce = async (url, init) => {
    requests += 1;
    return requests === 1 ? new Response('', { status: 503 }) : fetch(url, init);
  };
  const retrying = new ExamClient({ baseUrl, apiKey, logLevel: 'off', fetch: busyOnce });
  const listed = retrying.exams.list();
  listed.catch(() => {});
  while (requests < 2) await jest.advanceTimersByTimeAsync(1_000);
  expect((await listed).data.length).toBe(examIds.length);
});

test('webhook', async () => {
  jest.setSystemTime(Number(/t=(\d+)/.exec(delivery.headers['x-cbt-signature'])[1]) * 1_000);
  const { body, headers } = delivery;
  const verified = await safeVerifyWebhook(
    new Request('https://receiver.test/', { method: 'POST', body, headers }),
    {
      secret,
    },
  );
  expect(verified.ok).toBe(true);
});

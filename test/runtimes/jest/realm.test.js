const { once } = require('node:events');
const { createServer } = require('node:http');
const process = require('node:process');
const { ConnectionError, ExamClient, isExamServiceError, ResponseFormatError } = require('exam-service-sdk');

// The classes of Jest's environment are others than those of `fetch`, which comes from Node's own realm.
const pair = { participant_id: 7, exam_id: 3 };
const apiKey = 'key-of-the-realm-test';
const connect = (baseUrl, options) => new ExamClient({ baseUrl, apiKey, logLevel: 'off', ...options });

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The call was expected to fail, and did not.');
}

/** Calls a service that deals with its requests by `onRequest`. */
async function callService(onRequest, call) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    onRequest(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const error = await rejection(call(`http://127.0.0.1:${server.address().port}/api/v1`));
  server.close();
  server.closeAllConnections();
  return { error, requests };
}

test('refused connection: even assign is sent again, and the causes are copied', async () => {
  const waits = [];
  const hooks = { onRetry: (event) => waits.push(event) };
  const client = connect(process.env.CLOSED_URL, { maxRetries: 1, hooks });
  const error = await rejection(client.examParticipants.assign(pair));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(isExamServiceError(error)).toBe(true);
  expect(error).toMatchObject({ attempts: 2, outcome: 'not_sent', retryable: true });
  expect(waits).toHaveLength(1);
  // A copy of the realm that the client runs in.
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause).toMatchObject({ name: 'TypeError', cause: { code: 'ECONNREFUSED' } });
  expect(error.message).toContain('ECONNREFUSED');
});

test('cut connection: assign is not sent again, and the causes are copied', async () => {
  const { error, requests } = await callService(
    (request) => request.socket.resetAndDestroy(),
    (url) => connect(url, { maxRetries: 1 }).examParticipants.assign(pair),
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ attempts: 1, outcome: 'unknown', retryable: false });
  expect(requests).toBe(1);
  // A copy of the realm that the client runs in.
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause).toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } });
});

test('cut response: assign is not sent again, and the causes are copied', async () => {
  const { error, requests } = await callService(
    (_, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"message":', () => response.destroy());
    },
    (url) => connect(url, { maxRetries: 1 }).examParticipants.assign(pair),
  );
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error).toMatchObject({ attempts: 1, outcome: 'done', retryable: false });
  expect(requests).toBe(1);
  // A copy, because the platform's error carries its socket.
  expect(error.cause).toMatchObject({ name: 'TypeError', cause: { code: 'UND_ERR_SOCKET' } });
  expect(error.message).toContain(`cut short: ${error.cause.cause.message}`);
});

test('a secret in a cause of another realm is hidden, and its codes are kept', async () => {
  const fetch = async (url, init) => {
    const error = await rejection(globalThis.fetch(url, init));
    throw Object.assign(error, { request: init });
  };
  const client = connect(process.env.CLOSED_URL, { maxRetries: 0, fetch });
  const error = await rejection(client.exams.list());
  expect(error).toMatchObject({ outcome: 'not_sent', cause: { name: 'TypeError' } });
  expect(error.cause).not.toHaveProperty('request');
  expect(error.cause.cause).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(require('node:util').inspect(error, { depth: 10 })).not.toContain(apiKey);
});

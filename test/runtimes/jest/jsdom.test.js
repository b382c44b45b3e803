const process = require('node:process');
const { ExamClient, NotFoundError } = require('exam-service-sdk');

// What a component calls, in a project whose tests have a document.
const { baseUrl, apiKey, examIds } = JSON.parse(process.env.TEST_ENVIRONMENT);
const connect = (options) => new ExamClient({ baseUrl, apiKey, logLevel: 'off', ...options });

test('key is rejected', () => {
  expect(document.body).toBeDefined();
  expect(() => connect({})).toThrow('dangerouslyAllowBrowser');
});

test('call', async () => {
  const page = await connect({ dangerouslyAllowBrowser: true }).exams.list();
  expect(page.data.map(({ id }) => id)).toEqual(examIds);
});

test('error', async () => {
  const client = connect({ dangerouslyAllowBrowser: true });
  const unknown = client.participants.update(987654, { name: 'Nobody' });
  await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
});

test('abort', async () => {
  const leaving = new AbortController();
  const client = connect({ dangerouslyAllowBrowser: true });
  const call = client.participants.retrieve(1, { signal: leaving.signal });
  leaving.abort(new Error('The component is gone.'));
  await expect(call).rejects.toThrow('The component is gone.');
});

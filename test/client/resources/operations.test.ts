import { expect, test } from 'vitest';
import { createClient, nowhere, testKey } from '../../helpers/client.ts';
import { operations } from '../../helpers/operations.ts';
import { startService } from '../../helpers/server.ts';

for (const operation of operations) {
  const { name, call, method, path, query = {}, body, auth, response } = operation;

  test(`${name} sends ${method} ${path} with what the caller gave`, async () => {
    await using server = startService(response);
    await call(createClient(server));
    const { request } = server;
    expect(request.method).toBe(method);
    expect(request.path).toBe(path);
    expect(Object.fromEntries(request.query)).toEqual(query);
    expect(request.body).toEqual(body);
  });

  test(`${name} carries the key as ${auth} and in no other header`, async () => {
    await using server = startService(response);
    await call(createClient(server));
    const { headers } = server.request;
    expect(headers['x-client-key']).toBe(auth === 'clientKey' ? testKey : undefined);
    expect(headers['authorization']).toBe(auth === 'bearer' ? `Bearer ${testKey}` : undefined);
  });

  test(`${name} asks for JSON, and declares JSON only if it sends a body`, async () => {
    await using server = startService(response);
    await call(createClient(server));
    const { headers } = server.request;
    expect(headers.accept).toBe('application/json');
    expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
  });
}

/** What sends the requests of the operations above, several for one call. */
const jobs = [
  'participants.importAll',
  'participants.findByEmail',
  'examParticipants.ensure',
  'examParticipants.assignAll',
  'webhooks.ensure',
];

test('each method of the client is an operation above or a job over them', () => {
  const methods = Object.entries<object>({ ...createClient(nowhere) }).flatMap(([group, resource]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      .filter((name) => name !== 'constructor')
      .map((name) => `${group}.${name}`),
  );
  expect(methods.sort()).toEqual([...operations.map(({ name }) => name), ...jobs].sort());
});

test('only the changes that were given are sent', async () => {
  await using server = startService({ body: {} });
  const client = createClient(server);
  await client.participants.update(7, { name: undefined, password: 'second-password' });
  expect(server.request.body).toEqual({ password: 'second-password' });
});

test('a test delivery without an event sends an empty object', async () => {
  await using server = startService({ body: { data: { queued: true } } });
  await createClient(server).webhooks.test(4);
  expect(server.request.body).toEqual({});
});

test('a list without a query sends none', async () => {
  await using server = startService({ body: [] });
  const client = createClient(server);
  await client.exams.list();
  await client.participants.list({ page: undefined });
  expect(server.requests.map(({ target }) => target)).toEqual(['/api/v1/exams', '/api/v1/participants']);
});

test('the base URL may end with slashes and may be a URL object', async () => {
  await using server = startService({ body: [] });
  await createClient(server, { baseUrl: `${server.url}//` }).exams.list();
  await createClient(server, { baseUrl: new URL(`${server.url}/`) }).exams.list();
  expect(server.requests.map(({ target }) => target)).toEqual(['/api/v1/exams', '/api/v1/exams']);
});

test('text travels as UTF-8, emojis and escapes included', async () => {
  await using server = startService({ status: 201, body: {} });
  const row = { email: 'zoë@example.test', name: 'Zoë "Ω" 🦉', password: 'p\\ä/"ß' };
  await createClient(server).participants.import([row]);
  expect(server.request.body).toEqual({ participants: [row] });
});

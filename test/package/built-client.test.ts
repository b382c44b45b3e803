import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type * as Sdk from '../../src/index.ts';
import { rejection, testKey } from '../helpers/client.ts';
import { startServer, unusedUrl } from '../helpers/server.ts';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

// The build leaves parts of ky out, so what crosses ky is shown with the built files, too.
describe.each<[string, () => Promise<typeof Sdk>]>([
  ['imported', () => import(join(root, 'dist/index.js'))],
  ['required', async () => require(join(root, 'dist/index.cjs'))],
])('the built client, %s,', async (_, load) => {
  const { ExamClient } = await load();
  const createClient = (baseUrl: string, options: Sdk.ClientOptions = {}) =>
    new ExamClient({ baseUrl, apiKey: testKey, maxRetries: 0, logLevel: 'off', ...options });

  test.each<[string, string, (client: Sdk.ExamClient) => PromiseLike<unknown>, unknown]>([
    ['GET', '/exams?page=2', (client) => client.exams.list({ page: 2 }), undefined],
    ['POST', '/exam-participants/assign', (client) => client.examParticipants.assign(pair), pair],
    ['PUT', '/participants/7', (client) => client.participants.update(7, { name: 'Ada' }), { name: 'Ada' }],
    [
      'PATCH',
      '/webhooks/7',
      (client) => client.webhooks.update(7, { is_active: false }),
      { is_active: false },
    ],
    ['DELETE', '/webhooks/7', (client) => client.webhooks.delete(7), undefined],
  ])('sends a %s with its headers and its body', async (method, target, call, body) => {
    await using server = await startServer({ body: method === 'GET' ? [] : { id: 7 } });
    await call(createClient(server.url, { headers: { 'X-Trace': 'abc' }, validation: 'off' }));
    const { request } = server;
    expect(request).toMatchObject({ method, body });
    expect(request.target).toBe(`/api/v1${target}`);
    expect(request.headers).toMatchObject({ accept: 'application/json', 'x-trace': 'abc' });
    expect(request.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    const scheme = target.startsWith('/webhooks') ? 'authorization' : 'x-client-key';
    expect(request.headers[scheme]).toContain(testKey);
  });

  test('reads an answer', async () => {
    await using server = await startServer({ body: { id: 3, title: 'Entrance' } });
    const { data, response } = await createClient(server.url).exams.retrieve(3).withResponse();
    expect(data).toEqual({ id: 3, title: 'Entrance' });
    expect(response).toMatchObject({ status: 200, attempts: 1 });
  });

  test('ends a request with the reason of an abort', async () => {
    await using server = await startServer(() => undefined);
    const controller = new AbortController();
    const call = rejection(createClient(server.url).exams.list({}, { signal: controller.signal }));
    await server.arrival(1);
    controller.abort('the user left');
    expect(await call).toBe('the user left');
  });

  test('gives a request up in time, and closes its connection', async () => {
    let closed: Promise<unknown> | undefined;
    await using server = await startServer((_request, { response }) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      return undefined;
    });
    const error = await rejection(createClient(server.url, { timeout: 50 }).exams.list());
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'attempt', attempts: 1 });
    await closed;
  });

  test('sends a request again, its body included', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' } };
    await using server = await startServer([busy, busy, { status: 201, body: { message: 'Assigned' } }]);
    const client = createClient(server.url, { maxRetries: 2 });
    const { response } = await client.examParticipants.assign(pair).withResponse();
    expect(response).toMatchObject({ status: 201, attempts: 3 });
    expect(server.requests.map(({ body }) => body)).toEqual([pair, pair, pair]);
  });

  test('tells what the service refused', async () => {
    await using server = await startServer({
      status: 422,
      body: { message: 'No.', errors: { name: ['Taken'] } },
    });
    const error = await rejection(createClient(server.url).exams.retrieve(3));
    expect(error).toMatchObject({ name: 'UnprocessableEntityError', fieldErrors: { name: ['Taken'] } });
  });

  test('follows no redirect', async () => {
    await using server = await startServer({ status: 302, headers: { location: '/login' } });
    const error = await rejection(createClient(server.url).exams.list());
    expect(error).toMatchObject({ name: 'RedirectError' });
    expect(server.requests).toHaveLength(1);
  });

  test('tells why no connection came about', async () => {
    const error = await rejection(createClient(await unusedUrl()).exams.list());
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { cause: { code: 'ECONNREFUSED' } } });
  });
});

const pair = { participant_id: 7, exam_id: 3 };

test('ky is called in the one way for which the build keeps it whole', () => {
  const path = join(root, 'src/core/attempt/call.ts');
  const source = ts.createSourceFile(path, ts.sys.readFile(path) ?? '', ts.ScriptTarget.Latest);
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'ky') calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  expect(calls).toHaveLength(1);
  const options: Record<string, string> = {};
  const collect = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) options[node.name.getText(source)] = node.initializer.getText(source);
    else if (ts.isShorthandPropertyAssignment(node)) options[node.name.text] = node.name.text;
    else ts.forEachChild(node, collect);
  };
  calls[0]?.arguments.slice(1).forEach(collect);
  const { body, fetch, headers, method, redirect, signal, ...fixed } = options;
  expect(fixed).toEqual({ retry: '0', timeout: 'false', throwHttpErrors: 'false' });
});

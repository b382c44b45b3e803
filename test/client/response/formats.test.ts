import { describe, expect, test } from 'vitest';
import { type ExamClient, ResponseFormatError, ResponseValidationError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { type ServiceResponse, startServer } from '../../helpers/server.ts';

type Run = (client: ExamClient) => Promise<unknown>;

/** One operation of each kind of response. */
const readers: ReadonlyArray<readonly [name: string, run: Run]> = [
  ['participants.retrieve', (client) => client.participants.retrieve(31)],
  ['exams.list', (client) => client.exams.list()],
  ['examParticipants.link', (client) => client.examParticipants.link({ participant_id: 31, exam_id: 7 })],
  ['webhooks.list', (client) => client.webhooks.list()],
  ['webhooks.test', (client) => client.webhooks.test(3)],
];

const commands: ReadonlyArray<readonly [name: string, run: Run, result: unknown]> = [
  [
    'examParticipants.assign',
    (client) => client.examParticipants.assign({ participant_id: 31, exam_id: 7 }),
    { message: null, data: null, body: null },
  ],
  ['webhooks.delete', (client) => client.webhooks.delete(3), undefined],
  ['request', (client) => client.request({ method: 'GET', path: '/health', auth: 'bearer' }), null],
];

const html = { 'content-type': 'text/html; charset=UTF-8' };
const json = { 'content-type': 'application/json' };

const notJson: ReadonlyArray<readonly [what: string, response: ServiceResponse, problem: string]> = [
  [
    'a page of HTML',
    { headers: html, body: '<!DOCTYPE html>\n<title>Sign in</title>' },
    'a page of HTML or XML',
  ],
  ['HTML that calls itself JSON', { headers: json, body: '\n<html></html>' }, '(application/json), not JSON'],
  [
    'XML',
    { headers: { 'content-type': 'text/xml' }, body: '<?xml version="1.0"?><a/>' },
    '(text/xml), not JSON',
  ],
  ['a truncated object', { headers: json, body: '{"data":[{"id":1,"name":"Sa' }, 'may have been cut short'],
  ['a truncated array', { headers: json, body: '[{"id":1},' }, 'may have been cut short'],
  [
    'plain text',
    { headers: { 'content-type': 'text/plain' }, body: 'secret-text' },
    '(text/plain) is not valid JSON',
  ],
  ['text that ends with a number', { headers: json, body: 'build 5' }, 'may have been cut short'],
  ['text of no content type', { body: 'secret-text' }, '(no content type) is not valid JSON'],
  ['two JSON values', { headers: json, body: '{"id":1}{"id":2}' }, 'is not valid JSON'],
];

const operations: ReadonlyArray<readonly [name: string, run: Run]> = [
  ...readers,
  ...commands.map(([name, run]) => [name, run] as const),
];

describe.each(operations)('%s rejects', (name, run) => {
  test.each(notJson)('%s with status 200', async (_, response, problem) => {
    await using service = await connect(response);
    const error = await failure(run(service.client), ResponseFormatError);
    expect(error).toMatchObject({ code: 'response_format', operation: name, status: 200, attempts: 1 });
    expect(String(error)).toContain(problem);
    expect(String(error)).not.toMatch(/Sign in|secret-text|"Sa/);
    expect(service.server.requests).toHaveLength(1);
  });
});

const empties: ReadonlyArray<readonly [what: string, response: ServiceResponse]> = [
  ['204', { status: 204 }],
  ['200 with an empty body', { status: 200, headers: json }],
  ['200 with nothing but blanks', { headers: json, body: ' \r\n' }],
  ['200 with nothing but a byte order mark', { headers: json, body: '\uFEFF' }],
];

describe.each(readers)('%s', (name, run) => {
  test.each(empties)('rejects %s', async (_, response) => {
    await using service = await connect(response);
    const error = await failure(run(service.client), ResponseFormatError);
    expect(error).toMatchObject({ operation: name, status: response.status ?? 200 });
    expect(String(error)).toContain('but its body is empty');
  });

  test.each(['null', 'true', '0', '"text"'])('rejects the body %s as another shape', async (body) => {
    await using service = await connect({ headers: json, body });
    const error = await failure(run(service.client), ResponseValidationError);
    expect(error).toMatchObject({ code: 'response_validation', operation: name, status: 200 });
  });
});

describe.each(commands)('%s', (_, run, result) => {
  test.each([...empties, ['the body null', { headers: json, body: 'null' }] as const])(
    'accepts %s',
    async (_what, response) => {
      await using service = await connect(response);
      expect(await run(service.client)).toEqual(result);
    },
  );
});

test('a custom request gives the body as it came, also one that reports a failure', async () => {
  const body = { success: false, message: 'no', data: [] };
  await using service = await connect([{ body }, { body: 'false' }]);
  const request = { method: 'GET', path: '/health', auth: 'clientKey' } as const;
  expect(await service.client.request(request)).toEqual(body);
  expect(await service.client.request(request)).toBe(false);
});

test('a body that is not UTF-8 is read with replacement characters, not rejected', async () => {
  const body = Buffer.concat([Buffer.from('{"id":7,"name":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
  await using service = await connect({ headers: json, body });
  expect(await service.client.exams.retrieve(7)).toEqual({ id: 7, name: 'caf\uFFFD' });
});

test('a compressed body is read', async () => {
  const { gzipSync } = await import('node:zlib');
  const headers = { ...json, 'content-encoding': 'gzip' };
  await using server = await startServer({ headers, body: gzipSync('{"id":7}') });
  expect(await createClient(server).exams.retrieve(7)).toEqual({ id: 7 });
});

test('the error keeps the body for diagnosis, hidden from logs and capped at 64 KiB', async () => {
  await using service = await connect({ body: `<!DOCTYPE html>${'x'.repeat(100_000)}` });
  const error = await failure(service.client.exams.list(), ResponseFormatError);
  expect(error.body).toHaveLength(64 * 1024);
  expect(Object.keys(error)).not.toContain('body');
  expect(JSON.stringify(error)).not.toContain('DOCTYPE');
});

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createDocument } from '../../scripts/openapi/document.ts';
import { collectExamples } from '../../scripts/openapi/examples.ts';
import { renderDocument } from '../../scripts/openapi/generate.ts';
import { operations } from '../../scripts/openapi/operations.ts';
import { operations as cases } from '../helpers/operations.ts';

const file = fileURLToPath(new URL('../../spec/openapi.json', import.meta.url));
const published = await readFile(file, 'utf8');
const document = await createDocument(operations);

describe('openapi.json', () => {
  test('is what the descriptors, schemas and the emulator make: `npm run openapi` writes it', async () => {
    expect(await renderDocument()).toBe(published);
  });

  test('is part of the package, under a name of its own', async () => {
    const require = createRequire(import.meta.url);
    expect(require.resolve('exam-service-sdk/openapi.json')).toBe(file);
    const manifest = JSON.parse(await readFile(require.resolve('exam-service-sdk/package.json'), 'utf8'));
    expect(manifest.files).toContain('spec');
  });

  test('describes every method of the client, under its name', () => {
    expect([...operations.keys()].sort()).toEqual(cases.map(({ name }) => name).sort());
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    // Methods that send to the same place are one operation of the service; a change is accepted as PUT as well.
    const firsts = new Map(
      [...operations.values()].reverse().map((each) => [each.method + each.path, each.id]),
    );
    expect(described.sort()).toEqual([...firsts.values(), 'webhooks.updateWithPut'].sort());
  });

  test('needs documentation for every operation', async () => {
    const [exam] = operations.values();
    if (exam === undefined) throw new Error('There are no operations.');
    const id = 'participants.findByEmail' as const;
    const extra = new Map([...operations, [id, { ...exam, id }]]);
    await expect(createDocument(extra)).rejects.toThrow(`${id} has no documentation`);
    await expect(createDocument(new Map())).rejects.toThrow('is of no operation');
  });
});

test.each([
  ['exams.archive', { example: { send: 'POST /exams/3/archive' } }, 'got 404 as an example of 2..'],
  [
    'exams.list',
    { example: { send: 'GET /exams' }, rejected: { 404: { send: 'GET /exams?limit=0' } } },
    'got 422 as an example of 404',
  ],
])('an example of %s that has another status than it stands under stops it', async (id, said, message) => {
  await expect(collectExamples({ [id]: said })).rejects.toThrow(message);
});

describe('what it says', () => {
  const at = (method: string, path: string) => Object(document.paths[path]?.[method]);
  const statuses = (method: string, path: string) => Object.keys(at(method, path).responses);

  test('the two credentials, by operation', () => {
    expect(at('get', '/exams').security).toEqual([{ clientKey: [] }]);
    expect(at('get', '/webhooks').security).toEqual([{ bearer: [] }]);
  });

  test('the documented statuses, and an assumed success where none is documented', () => {
    expect(statuses('post', '/participants/import')).toEqual([
      '201',
      '400',
      '401',
      '403',
      '422',
      '500',
      'default',
    ]);
    expect(statuses('get', '/exam-participants/link')).toEqual(['200', '401', '403', '404', 'default']);
    expect(statuses('get', '/exams')).toEqual(['200', '401', '403', 'default']);
    expect(statuses('post', '/webhooks')).toEqual(['200', '201', '403', 'default']);
    expect(statuses('delete', '/webhooks/{id}')).toEqual(['200', '403', 'default']);
  });

  test('bounds, defaults and what is required of parameters', () => {
    expect(at('get', '/exam-results').parameters).toMatchObject([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
      { name: 'participant_id', required: false },
      { name: 'exam_id', required: false },
    ]);
    expect(at('get', '/exam-participants/link').parameters).toMatchObject([
      { name: 'participant_id', in: 'query', required: true },
      { name: 'exam_id', in: 'query', required: true },
    ]);
    expect(at('get', '/participants/{id}').parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ]);
  });

  test('limits that only a function of the schemas checks', () => {
    expect(document.components.schemas['WebhookCreate']).toMatchObject({
      required: ['url', 'events'],
      properties: {
        url: { type: 'string', format: 'uri', maxLength: 2048 },
        events: { minItems: 1 },
        description: { anyOf: [{ type: 'string', maxLength: 255 }, { type: 'null' }] },
        is_active: { type: 'boolean', description: expect.stringContaining('True if left out') },
      },
    });
    expect(document.components.schemas['Exam']).toMatchObject({
      properties: { id: { type: 'integer', minimum: 1 } },
      required: ['id'],
    });
  });

  test('which bodies are not documented: all but those of the webhook operations', () => {
    const open = [...operations.values()].filter(({ method, path, success }) => {
      const response = at(method.toLowerCase(), path).responses[success ?? 200];
      return response.content['application/json'].schema['x-undocumented'] === true;
    });
    const clientKey = [...operations.values()].filter(({ auth }) => auth === 'clientKey');
    expect(open).toEqual(clientKey);
    expect(document.components.schemas['UndocumentedError']).toMatchObject({ 'x-undocumented': true });
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ExamClient, ResponseFormatError, ResponseValidationError } from '../../../src/index.ts';
import { createClient, nowhere, rejection } from '../../helpers/client.ts';

/** What routes of Laravel 8, shaped like those of the service, sent as successes. */
interface Recorded {
  readonly name: string;
  /** Method and path with the query. */
  readonly request: string;
  readonly status: number;
  readonly type: string | null;
  readonly raw: string;
}

const file = new URL('../../fixtures/recordings/laravel-8.json', import.meta.url);
const recordings: readonly Recorded[] = JSON.parse(readFileSync(file, 'utf8'));
const read = new Set<string>();

/** A client whose service sends the recorded body, and the query with which it was asked for. */
function replay(name: string) {
  const recorded = recordings.find((each) => each.name === name);
  if (recorded === undefined) throw new Error(`No recording ${name}`);
  read.add(name);
  const { status, type, raw, request } = recorded;
  const headers: HeadersInit = type === null ? {} : { 'content-type': type };
  const fetch = async () => new Response(status === 204 ? null : raw, { status, headers });
  const parameters = new URLSearchParams(request.split('?')[1]);
  const query = Object.fromEntries([...parameters].map(([key, value]) => [key, Number(value)]));
  return { client: createClient(nowhere, { fetch }), query, raw };
}

const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The ids of a page of exams, the number of all exams, and the number of the last page. */
test.each<[name: string, ids: number[], total: number | null, lastPage: number | null]>([
  ['raw-empty-array', [], null, null],
  ['raw-exams-cursor', [1, 2], null, null],
  ['raw-exams-filtered-data-becomes-object', [2, 4], 23, 6],
  ['raw-exams-keyed', [1, 2, 3], null, null],
  ['raw-exams-list-filtered-becomes-object', [2, 4], null, null],
  ['raw-exams-manual-paginator', [3, 4], 23, 12],
  ['raw-exams-paginate', [3, 4], 23, 12],
  ['raw-exams-paginate-last', [21, 22, 23], 23, 3],
  ['raw-exams-paginate-beyond', [], 23, 3],
  ['raw-exams-perpage-from-query-string', [3, 4], 23, 12],
  ['raw-exams-simple', [3, 4], null, null],
  ['raw-exams-skip-take-bare-array', [3, 4], null, null],
  ['raw-paginate-empty', [], 0, 1],
  ['resource-exams-additional-meta-merge', [1, 2], 23, 12],
  ['resource-exams-bare', [1, 2], null, null],
  ['resource-exams-bare-page', [1, 2], 23, 12],
  ['resource-exams-cursor', [1, 2], null, null],
  ['resource-exams-empty', [], 0, 1],
  ['resource-exams-paginate', [3, 4], 23, 12],
  ['resource-exams-paginate-appends', [3, 4], 23, 12],
  ['resource-exams-simple', [3, 4], null, null],
  ['envelope-exams', [3, 4], 23, 12],
  ['envelope-exams-empty', [], 0, 1],
  ['envelope-exams-paginator', [1, 2], 23, 12],
  ['envelope-exams-resourcepage-loses-meta', [1, 2], null, null],
  ['envelope-exams-responsedata', [1, 2], 23, 12],
])('%s is read as a page of exams', async (name, ids, total, lastPage) => {
  const { client, query } = replay(name);
  const page = await client.exams.list(query);
  expect(page.data.map(({ id }) => id)).toEqual(ids);
  expect(page).toMatchObject({ total, lastPage });
});

test('raw-exams-limit-0 is read as a page of exams', async () => {
  const { data, perPage } = await replay('raw-exams-limit-0').client.exams.list();
  expect(data.map(({ id }) => id)).toEqual(first(15));
  expect(perPage).toBe(15);
});

test.each([
  ['raw-participants-all', [1, 2, 3]],
  ['resource-participants', [1, 2, 3, 4, 5]],
])('%s is read as a page of participants', async (name, ids) => {
  const page = await replay(name).client.participants.list();
  expect(page.data.map(({ id }) => id)).toEqual(ids);
});

test.each<[name: string, scores: (number | null)[]]>([
  ['raw-exam-results', [87.5, null, 100]],
  ['raw-exam-results-filter', [87.5]],
  ['raw-exam-results-localdates', [87.5, null, 100]],
  ['raw-exam-results-querybuilder', [87.5, null, 100]],
  ['raw-exam-results-uncast', [87.5, null, 100]],
  ['resource-exam-results', [87.5, null, 100]],
  ['resource-exam-results-collection-meta-merge', [87.5, null]],
  ['resource-exam-results-unloaded', [87.5]],
])('%s is read as a page of results whose scores are numbers', async (name, scores) => {
  const { client, query } = replay(name);
  const page = await client.examResults.list(query);
  expect(page.data.map(({ score }) => score)).toEqual(scores);
});

type Retrieve = (client: ExamClient) => Promise<{ readonly id: number }>;
const participant: Retrieve = ({ participants }) => participants.retrieve(1);
const exam: Retrieve = ({ exams }) => exams.retrieve(5);

test.each<[name: string, retrieve: Retrieve, wrapper: readonly string[]]>([
  ['raw-participant', participant, []],
  ['raw-participant-uncast', participant, []],
  ['raw-updated', participant, []],
  ['raw-created', participant, []],
  ['resource-participant', participant, ['data']],
  ['resource-participant-created', participant, ['data']],
  ['envelope-participant', participant, ['data']],
  ['envelope-nested', participant, ['data', 'participant']],
  ['resource-exam', exam, ['data']],
  ['resource-exam-additional', exam, ['data']],
  ['resource-exam-bare', exam, []],
  ['resource-exam-named', exam, ['exam']],
])('%s is read as a record with all its fields', async (name, retrieve, wrapper) => {
  const { client, raw } = replay(name);
  const record = wrapper.reduce((value, key) => value[key], JSON.parse(raw));
  expect(await retrieve(client)).toEqual(record);
});

test.each([
  ['link-200', 'https://exam.example.test/t/1'],
  ['raw-string', 'https://exam.example.test/t/abc'],
])('%s is read as a link', async (name, url) => {
  const { client } = replay(name);
  expect(await client.examParticipants.link({ participant_id: 1, exam_id: 1 })).toMatchObject({ url });
});

const assigned = 'Participant assigned';
const imported = 'Participants imported successfully';
const importedIds = [{ id: 1 }, { id: 6 }];

test.each<[name: string, acknowledgement: object]>([
  ['assign-201', { message: assigned, data: null, body: { message: assigned } }],
  ['import-201', { message: imported, data: importedIds, body: { message: imported, data: importedIds } }],
  ['envelope-null', { message: 'Webhook deleted', data: null, body: { success: true, meta: [] } }],
  ['raw-no-content', { message: null, data: null, body: null }],
  ['raw-return-null', { message: null, data: null, body: null }],
  ['raw-return-int', { message: null, data: 5, body: 5 }],
  ['raw-return-true', { message: null, data: 1, body: 1 }],
  ['raw-updated-bool', { message: null, data: true, body: true }],
])('%s is read as an acknowledgement', async (name, acknowledgement) => {
  const { client } = replay(name);
  expect(await client.participants.update(1, { name: 'Ana' })).toMatchObject(acknowledgement);
});

test('envelope-meta-empty is read as a list of webhooks whose events are an empty object', async () => {
  expect(await replay('envelope-meta-empty').client.webhooks.list()).toEqual([]);
  expect(await replay('envelope-meta-empty').client.webhooks.availableEvents()).toEqual({});
});

describe('nothing is made of', () => {
  test.each(['raw-empty-object', 'raw-null'])('%s', async (name) => {
    const { client } = replay(name);
    for (const call of [client.exams.list(), client.exams.retrieve(1)])
      expect(await rejection(call)).toBeInstanceOf(ResponseValidationError);
  });

  test('throttle-200-1, which is text', async () => {
    const { client } = replay('throttle-200-1');
    for (const call of [client.exams.list(), client.participants.update(1, { name: 'Ana' })])
      expect(await rejection(call)).toBeInstanceOf(ResponseFormatError);
  });
});

test('every recording was read', () => {
  expect(recordings.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
});

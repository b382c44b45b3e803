// Reads the lists of a service, and single records, to find out how it answers.

import type { ExamClient } from '../../client.ts';
import type { AuthScheme } from '../../core/attempt/auth.ts';
import { isApiError } from '../../core/errors/api-error.ts';
import { isExamServiceError } from '../../core/errors/base.ts';
import { schemas } from '../../resources/schemas.ts';
import { isObject } from '../../util/json.ts';
import { type Answer, readListAnswer, readRecordAnswer } from './answer.ts';
import type { RecordName, RecordShape } from './schema-file.ts';
import { emptyShape, observe } from './shape.ts';

/** The result of a request: a status, or the name of the error if there was no usable answer. */
export interface Outcome {
  readonly label: string;
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** How a list answers with each credential, and what it contains. */
export interface ListFinding {
  readonly path: string;
  /** The credential that the service documents. */
  readonly documented: AuthScheme;
  readonly outcomes: Readonly<Record<AuthScheme, string>>;
  /** `null` without an answer, or with one that the client cannot read. */
  readonly answer: Answer | null;
  /** What `limit` and `page` do; `null` for a list without pages. */
  readonly paging: string | null;
}

export interface RecordFinding {
  readonly path: string;
  readonly outcome: string;
  readonly answer: Answer | null;
}

export interface Findings {
  readonly lists: readonly ListFinding[];
  readonly records: readonly RecordFinding[];
  readonly shapes: readonly RecordShape[];
}

interface Kind {
  readonly name: RecordName;
  readonly path: string;
  readonly retrievable: boolean;
}

const kinds: readonly Kind[] = [
  { name: 'participant', path: '/participants', retrievable: true },
  { name: 'exam', path: '/exams', retrievable: true },
  { name: 'examResult', path: '/exam-results', retrievable: false },
];

/** Inspects everything that can be read without changing anything: GET only, and never a link to an exam. */
export async function probe(client: ExamClient, records: number, signal: AbortSignal): Promise<Findings> {
  const get = (path: string, auth: AuthScheme, query: Record<string, number> = {}): Promise<Outcome> =>
    outcomeOf(client.request({ method: 'GET', path, auth, query }, { signal }).withResponse(), signal);
  const lists: ListFinding[] = [];
  const single: RecordFinding[] = [];
  const shapes: RecordShape[] = [];
  for (const { name, path, retrievable } of kinds) {
    const { finding, auth } = await probeList(get, path, 'clientKey', { limit: records, page: 1 });
    lists.push(finding);
    const listed = finding.answer?.items ?? [];
    const items = [...listed];
    const id = firstId(listed);
    if (retrievable && id !== null) {
      const { label, body } = await get(`${path}/${id}`, auth);
      const answer = body === undefined ? null : readRecordAnswer(body);
      single.push({ path: `${path}/{id}`, outcome: label, answer });
      items.push(...(answer?.items ?? []));
    }
    if (listed.length > 0) shapes.push({ name, count: listed.length, ...(await shapeOf(name, items)) });
  }
  lists.push((await probeList(get, '/webhooks', 'bearer')).finding);
  return { lists, records: single, shapes };
}

type Get = (path: string, auth: AuthScheme, query?: Record<string, number>) => Promise<Outcome>;

async function probeList(
  get: Get,
  path: string,
  documented: AuthScheme,
  query?: { limit: number; page: number },
): Promise<{ finding: ListFinding; auth: AuthScheme }> {
  const outcomes = {
    clientKey: await get(path, 'clientKey', query),
    bearer: await get(path, 'bearer', query),
  };
  const other = documented === 'clientKey' ? 'bearer' : 'clientKey';
  const auth = outcomes[documented].body === undefined ? other : documented;
  const { body, headers } = outcomes[auth];
  const answer = body === undefined ? null : readListAnswer(body, headers);
  return {
    finding: {
      path,
      documented,
      outcomes: { clientKey: outcomes.clientKey.label, bearer: outcomes.bearer.label },
      answer,
      paging: query === undefined || answer === null ? null : await tryPaging(get, path, auth, answer.items),
    },
    auth,
  };
}

/** Requests the second record alone, which shows whether both parameters work. */
async function tryPaging(
  get: Get,
  path: string,
  auth: AuthScheme,
  items: readonly unknown[],
): Promise<string> {
  const [first, second] = items.map((item) => JSON.stringify(item));
  if (second === undefined) return 'too few records to try `limit` and `page`';
  const { label, body } = await get(path, auth, { limit: 1, page: 2 });
  const got = (body === undefined ? null : readListAnswer(body))?.items.map((item) => JSON.stringify(item));
  if (got === undefined) return `page 2 is answered with ${label}`;
  if (got[0] === second && got.length === 1) return '`limit` and `page` work';
  if (got[0] === first) return got.length === 1 ? '`page` is ignored' : '`limit` and `page` are ignored';
  return '`limit` or `page` does not work as documented';
}

async function outcomeOf(
  request: Promise<{ data: unknown; response: { status: number; headers: Headers } }>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const { data, response } = await request;
    return { label: String(response.status), body: data, headers: response.headers };
  } catch (error) {
    signal.throwIfAborted();
    if (isApiError(error)) return { label: String(error.status) };
    // Without an answer from the service there is nothing to inspect.
    if (isExamServiceError(error) && error.code === 'response_format') return { label: 'not JSON' };
    if (isExamServiceError(error) && error.code === 'redirect') return { label: 'redirect' };
    throw error;
  }
}

function firstId(items: readonly unknown[]): number | null {
  for (const item of items) {
    const id = isObject(item) ? item['id'] : undefined;
    if (Number.isSafeInteger(id)) return Number(id);
  }
  return null;
}

/** The records as a schema of the client's user gets them: read by the client's own, with what that refuses. */
async function shapeOf(
  name: RecordName,
  items: readonly unknown[],
): Promise<Pick<RecordShape, 'shape' | 'refused'>> {
  const shape = emptyShape();
  const refused = new Set<string>();
  for (const item of items) {
    const read = await schemas[name]['~standard'].validate(item);
    for (const { path = [], message } of read.issues ?? []) {
      refused.add(`${path.map(String).join('.') || 'it'} ${message}`);
    }
    observe(shape, read.issues === undefined ? read.value : item);
  }
  return { shape, refused: [...refused] };
}

// Reads the lists of a service, and single records, to find out how it responds.

import type { ExamClient } from '../../client.ts';
import type { AuthScheme } from '../../core/operation.ts';
import { responseSchemas } from '../../resources/schemas.ts';
import { isObject } from '../../util/json.ts';
import { ask, type Reply } from '../reply.ts';
import { type ParsedResponse, parseListResponse, parseRecordResponse } from './response.ts';
import type { RecordName, RecordShape } from './schema-file.ts';
import { emptyShape, observe, shareKinds } from './shape.ts';

/** What a list returns with each credential, and what it contains. */
export interface ListFinding {
  readonly path: string;
  /** The credential that the service documents. */
  readonly documented: AuthScheme;
  readonly replies: Readonly<Record<AuthScheme, Reply>>;
  /** `null` without a success, or with one that the client cannot read. */
  readonly parsed: ParsedResponse | null;
  /** What `limit` and `page` do; `null` for a list without pages. */
  readonly paging: string | null;
}

export interface RecordFinding {
  readonly path: string;
  readonly reply: Reply;
  readonly parsed: ParsedResponse | null;
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
  const get: Get = (path, auth, query = {}) => ask(client, { method: 'GET', path, auth, query }, signal);
  const lists: ListFinding[] = [];
  const single: RecordFinding[] = [];
  const shapes: RecordShape[] = [];
  for (const { name, path, retrievable } of kinds) {
    const { finding, auth } = await probeList(get, path, 'clientKey', { limit: records, page: 1 });
    lists.push(finding);
    const listed = finding.parsed?.items ?? [];
    const items = [...listed];
    const id = smallestId(listed);
    if (retrievable && id !== null) {
      const reply = await get(`${path}/${id}`, auth);
      const parsed = reply.ok ? parseRecordResponse(reply.body) : null;
      single.push({ path: `${path}/{id}`, reply, parsed });
      // Something else in its place is no record.
      items.push(...(parsed?.items ?? []).filter((item) => idOf(item) === id));
    }
    if (listed.length > 0) shapes.push({ name, count: listed.length, ...(await shapeOf(name, items)) });
  }
  shareKinds(shapes);
  lists.push((await probeList(get, '/webhooks', 'bearer')).finding);
  return { lists, records: single, shapes };
}

type Get = (path: string, auth: AuthScheme, query?: Record<string, number>) => Promise<Reply>;

async function probeList(
  get: Get,
  path: string,
  documented: AuthScheme,
  query?: { limit: number; page: number },
): Promise<{ finding: ListFinding; auth: AuthScheme }> {
  const replies = {
    clientKey: await get(path, 'clientKey', query),
    bearer: await get(path, 'bearer', query),
  };
  const other = documented === 'clientKey' ? 'bearer' : 'clientKey';
  const auth = replies[documented].ok ? documented : other;
  const reply = replies[auth];
  const parsed = reply.ok ? parseListResponse(reply.body, reply.headers) : null;
  const paging =
    query === undefined || parsed === null ? null : await tryPaging(get, path, auth, parsed.items);
  return { finding: { path, documented, replies, parsed, paging }, auth };
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
  const reply = await get(path, auth, { limit: 1, page: 2 });
  const list = reply.ok ? parseListResponse(reply.body) : null;
  const got = list?.items.map((item) => JSON.stringify(item));
  if (got === undefined) return `page 2 returns ${reply.words}`;
  if (got[0] === second && got.length === 1) return '`limit` and `page` work';
  if (got[0] === first) return got.length === 1 ? '`page` is ignored' : '`limit` and `page` are ignored';
  return '`limit` or `page` does not work as documented';
}

/** So that it does not depend on the order of the list which record is read. */
function smallestId(items: readonly unknown[]): number | null {
  const ids = items.map(idOf).filter((id): id is number => Number.isSafeInteger(id));
  return ids.length === 0 ? null : Math.min(...ids);
}

function idOf(item: unknown): unknown {
  return isObject(item) ? item['id'] : undefined;
}

/** The records as a schema of the client's user gets them: read by the client's own, with what that rejects. */
async function shapeOf(
  name: RecordName,
  items: readonly unknown[],
): Promise<Pick<RecordShape, 'shape' | 'rejected'>> {
  const shape = emptyShape();
  const rejected = new Set<string>();
  for (const item of items) {
    const read = await responseSchemas[name]['~standard'].validate(item);
    for (const { path = [], message } of read.issues ?? []) {
      rejected.add(`${path.map(String).join('.') || 'it'} ${message}`);
    }
    observe(shape, read.issues === undefined ? read.value : item);
  }
  return { shape, rejected: [...rejected].sort() };
}

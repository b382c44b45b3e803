// Reads a service as a user's client does, and keeps what that client says of each response.

import type { ExamClient } from '../../client.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import { ResponseError } from '../../core/errors/response-error.ts';
import { readPageInfo } from '../../core/pages/metadata.ts';
import type { PagePromise } from '../../core/pages/page.ts';
import { findList } from '../../core/response/find.ts';
import type { Issue } from '../../util/standard-schema.ts';
import type { RecordName, RecordShape } from './schema-file.ts';
import { emptyShape, observe } from './shape.ts';

/** What came of one request. */
export interface Finding {
  /** Method and path, such as `GET /exams/{id}`. */
  readonly request: string;
  readonly credential: 'X-Client-Key' | 'Bearer';
  /** Why the client cannot use the response; `null` if the service accepts the credential and the client reads the data. */
  readonly error: ResponseError | null;
  /** What else there is to say about the response; never a value of it. */
  readonly remarks: readonly string[];
}

export interface Findings {
  readonly responses: readonly Finding[];
  readonly records: readonly RecordShape[];
}

/** The records of one kind, as a resource of the client gives them. */
interface Resource {
  list(query: { readonly limit: number; readonly page?: number }, options: Options): PagePromise<unknown>;
  retrieve?(id: number, options: Options): ApiPromise<unknown>;
}

interface Options {
  readonly signal: AbortSignal;
}

const MOST_RECORDS = 100;

/** Examines everything that can be read without changing anything: GET only, and never a link to an exam. */
export class Examination {
  readonly #findings: { responses: Finding[]; records: RecordShape[] } = { responses: [], records: [] };
  readonly #client: ExamClient;
  readonly #options: Options;
  readonly #drift: Issue[];

  /** @param drift What the client would have rejected: it adds to this while a response is read. */
  constructor(client: ExamClient, drift: Issue[], signal: AbortSignal) {
    this.#client = client;
    this.#drift = drift;
    this.#options = { signal };
  }

  /** @throws {ExamServiceError} when no response comes */
  async run(): Promise<Findings> {
    const { participants, exams, examResults, webhooks } = this.#client;
    await this.#examineRecords('participant', '/participants', participants);
    await this.#examineRecords('exam', '/exams', exams);
    await this.#examineRecords('examResult', '/exam-results', examResults);
    await this.#ask('/webhooks', webhooks.list(this.#options), 'Bearer');
    return this.#findings;
  }

  async #examineRecords(name: RecordName, path: string, resource: Resource): Promise<void> {
    const list = resource.list({ limit: MOST_RECORDS }, this.#options);
    const page = await this.#ask(path, list, 'X-Client-Key', async () => endOf(await bodyOf(list)));
    const [first, second] = page?.data ?? [];
    if (page === null || first === undefined) return;
    // Of this list the service documents neither.
    if (name === 'participant' && second !== undefined) {
      const alone = resource.list({ limit: 1, page: 2 }, this.#options);
      await this.#ask(`${path}?limit=1&page=2`, alone, 'X-Client-Key', ({ data }) =>
        data.length === 1 && recordId(data[0]) === recordId(second)
          ? '`limit` and `page` work'
          : '`limit` or `page` is ignored',
      );
    }
    const shape = emptyShape();
    for (const record of page.data) observe(shape, record);
    const id = recordId(first);
    if (resource.retrieve && typeof id === 'number') {
      const call = resource.retrieve(id, this.#options);
      const record = await this.#ask(`${path}/{id}`, call, 'X-Client-Key');
      if (record !== null) observe(shape, record);
    }
    this.#findings.records.push({ name, count: page.data.length, shape });
  }

  /** Notes the result of a request, and returns its data; `null` if the client cannot use the response. */
  async #ask<T>(
    path: string,
    call: ApiPromise<T>,
    credential: Finding['credential'],
    remark?: (data: T) => string | Promise<string>,
  ): Promise<T | null> {
    const request = `GET ${path}`;
    try {
      this.#drift.length = 0;
      const data = await call;
      const remarks = [...(remark === undefined ? [] : [await remark(data)]), ...this.#rejections()];
      this.#findings.responses.push({ request, credential, error: null, remarks });
      return data;
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      this.#findings.responses.push({ request, credential, error, remarks: [] });
      return null;
    }
  }

  /** What `validation: 'strict'` rejects, without the numbers of the records. */
  #rejections(): string[] {
    const reasons = this.#drift.map(({ path, message }) => {
      const names = path.split('.').filter((name) => !/^\d+$/.test(name));
      return `${names.join('.')} ${message}`.trimStart();
    });
    return reasons.length === 0 ? [] : [`the client rejects it: ${[...new Set(reasons)].join(', ')}`];
  }
}

function recordId(record: unknown): unknown {
  return Object(record).id;
}

async function bodyOf(call: PagePromise<unknown>): Promise<unknown> {
  return (await call.asResponse()).json();
}

/** Where the client ends such a list. */
function endOf(body: unknown): string {
  const { envelopes = [], value: { length } = [] } = findList(body) ?? {};
  const { total, lastPage, hasNextLink } = readPageInfo(envelopes, length);
  if (total !== null || lastPage !== null) return 'the list ends at its stated total or last page';
  return hasNextLink === null ? 'the list ends with an empty page' : 'the list ends without a next link';
}

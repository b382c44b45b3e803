// Exports all results to a CSV and an NDJSON file.
//
//   node examples/export-results.ts [folder]
//
// Interrupted, it goes on where it was when it is run again: after every page it notes how far it is. Results that
// come in meanwhile may move others to another page, so export when the exam is over. It runs against an emulator
// with 1,000 results, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExamClient } from 'exam-service-sdk';
import { toCsvLine } from './support/csv.ts';
import { connectService } from './support/service.ts';

const [folder = 'results'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const paths = {
  csv: join(folder, 'results.csv'),
  ndjson: join(folder, 'results.ndjson'),
  state: join(folder, 'export-state.json'),
};

/** How far the export is; the files count only up to these lengths. */
interface State {
  readonly page: number;
  readonly rows: number;
  readonly columns: ReadonlyArray<string> | null;
  readonly csvBytes: number;
  readonly ndjsonBytes: number;
}

async function readState(): Promise<State> {
  try {
    return JSON.parse(await readFile(paths.state, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return { page: 0, rows: 0, columns: null, csvBytes: 0, ndjsonBytes: 0 };
  }
}

/** By renaming, so that an interruption leaves the old state or the new one, never half of it. */
async function writeState(state: State): Promise<void> {
  await writeFile(`${paths.state}.new`, JSON.stringify(state));
  await rename(`${paths.state}.new`, paths.state);
}

/** Opens a file for writing behind its first `length` bytes; what an interruption left behind them goes. */
async function openAt(path: string, length: number) {
  const file = await open(path, length === 0 ? 'w' : 'r+');
  await file.truncate(length);
  return file;
}

const service = await connectService({ participants: 1_000, results: true });
let state = await readState();
const csv = await openAt(paths.csv, state.csvBytes);
const ndjson = await openAt(paths.ndjson, state.ndjsonBytes);
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  if (state.page > 0) console.log(`Going on after page ${state.page}`);
  const list = client.examResults.list({ page: state.page + 1, limit: 100 }, { concurrency: 4 });
  let page = state.page;
  for await (const { data } of list.pages()) {
    page += 1;
    // The document shows no field of a result, so the first one says which columns there are.
    const columns = state.columns ?? (data[0] === undefined ? null : Object.keys(data[0]));
    const header = state.columns === null && columns !== null ? toCsvLine(columns) : '';
    const lines = data.map((result) => toCsvLine((columns ?? []).map((column) => result[column])));
    // Each write is waited for, and pages are fetched no further ahead than `concurrency`: this is the back-pressure.
    const { bytesWritten: csvBytes } = await csv.write(header + lines.join(''), state.csvBytes);
    const records = data.map((result) => `${JSON.stringify(result)}\n`).join('');
    const { bytesWritten: ndjsonBytes } = await ndjson.write(records, state.ndjsonBytes);
    state = {
      page,
      columns,
      rows: state.rows + data.length,
      csvBytes: state.csvBytes + csvBytes,
      ndjsonBytes: state.ndjsonBytes + ndjsonBytes,
    };
    await writeState(state);
  }
  await rm(paths.state, { force: true });
  console.log(`Exported ${state.rows} results to ${paths.csv} and ${paths.ndjson}`);
} finally {
  await csv.close();
  await ndjson.close();
  await service.close();
}

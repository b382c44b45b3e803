// Exports all results to a CSV and an NDJSON file.
//
//   npx node examples/export-results.ts [out/results] [--id <field>] [--separator ';']
//
// Results that come in meanwhile move others to another page, where a single pass over the list could miss them. So the
// list is read until two passes agree on its results, five times at most. Interrupted, it goes on where it was when it is
// run again: after every page it notes how far it is. With `--separator ';'` the CSV file has semicolons and decimal
// commas, as spreadsheets of much of Europe read it. It runs against an emulator with 1,000 results, or against the
// service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { copyFile, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExamClient, isExamServiceError } from 'exam-service-sdk';
import {
  compare,
  describe,
  digestOf,
  IdError,
  idOf,
  notUnique,
  type Pass,
  readPass,
  toNdjsonLine,
  writeCsv,
} from './support/passes.ts';
import { connectService, giveUp, type Progress, replaceFile, startProgress } from './support/program.ts';

const MOST_PASSES = 5;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { id: { type: 'string' }, separator: { type: 'string', default: ',' } },
});
const [folder = 'out/results'] = positionals;
const { separator } = values;
if (separator !== ',' && separator !== ';') giveUp(`--separator is ${separator}; it is ',' or ';'.`);
const paths = {
  csv: join(folder, 'results.csv'),
  ndjson: join(folder, 'results.ndjson'),
  state: join(folder, 'export-state.json'),
  pass: (number: number) => join(folder, `pass-${number}.ndjson`),
};

/** How far the export is; the file of the pass counts only up to `bytes`. */
interface State {
  readonly service: string;
  readonly id: string | null;
  readonly pass: number;
  readonly page: number;
  readonly bytes: number;
}

/** Where an earlier run was, if it exported from the same service by the same id. */
async function readState(start: State): Promise<State> {
  try {
    const state: State = JSON.parse(await readFile(paths.state, 'utf8'));
    return state.service === start.service && state.id === start.id ? state : start;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return start;
  }
}

const saveState = (state: State) =>
  replaceFile(paths.state, (path) => writeFile(path, JSON.stringify(state)));

/**
 * Reads the list from where `state` is to its end, into the file of the pass.
 *
 * @returns what it read, and an id under which two pages had results that differ: it is not unique, or the result changed meanwhile
 * @throws {IdError} where two results of one page have the same id
 */
async function makePass(
  client: ExamClient,
  state: State,
): Promise<{ pass: Pass; twice: string | number | undefined }> {
  const path = paths.pass(state.pass);
  const file = await open(path, state.bytes === 0 ? 'w' : 'r+');
  let progress: Progress | undefined;
  try {
    // What an interruption left behind the last page that was noted goes.
    await file.truncate(state.bytes);
    const pass = await readPass(path, values.id);
    // The last page that was noted is read again: past the end of the list there may be nothing to read.
    const from = Math.max(1, state.page);
    const list = client.examResults.list({ page: from, limit: 100 }, { concurrency: 4 });
    let twice: string | number | undefined;
    let page = from - 1;
    let { bytes } = state;
    for await (const { data, total } of list.pages()) {
      progress ??= startProgress(`Pass ${state.pass}`, total ?? 0);
      let lines = '';
      const ids = new Set<string | number>();
      for (const result of data) {
        const id = idOf(result, values.id);
        if (ids.has(id)) throw notUnique(id, values.id);
        ids.add(id);
        const line = toNdjsonLine(result);
        const digest = digestOf(line);
        // Moved to this page, or was read before an interruption.
        if (pass.has(id)) {
          if (pass.get(id) !== digest) twice = id;
          continue;
        }
        pass.set(id, digest);
        lines += `${line}\n`;
      }
      // The write is waited for, and pages are fetched no further ahead than `concurrency`: this is the back-pressure.
      bytes += (await file.write(lines, bytes)).bytesWritten;
      page += 1;
      await saveState({ ...state, page, bytes });
      progress.to(pass.size);
    }
    return { pass, twice };
  } finally {
    progress?.stop();
    await file.close();
  }
}

await mkdir(folder, { recursive: true });
const service = await connectService({ participants: 1_000, results: true });
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  let state = await readState({
    service: service.baseUrl,
    id: values.id ?? null,
    pass: 1,
    page: 0,
    bytes: 0,
  });
  if (state.page > 0) console.log(`Going on with pass ${state.pass} after page ${state.page}`);
  let isResumed = state.page > 0;
  let before = state.pass > 1 ? await readPass(paths.pass(state.pass - 1), values.id) : null;
  let pass: Pass;
  let twice: string | number | undefined;
  let isSettled = false;
  for (;;) {
    ({ pass, twice } = await makePass(client, state));
    if (before !== null) {
      const change = compare(before, pass);
      const again = isResumed ? ', but the pass was interrupted: once more' : '';
      console.log(`  since pass ${state.pass - 1}: ${describe(change)}${again}`);
      // The pages before an interruption may be days old, and do not show who came meanwhile.
      isSettled = change.came + change.went === 0 && twice === undefined && !isResumed;
    }
    if (isSettled || (state.pass >= MOST_PASSES && !isResumed)) break;
    isResumed = false;
    before = pass;
    state = { ...state, pass: state.pass + 1, page: 0, bytes: 0 };
    await saveState(state);
  }
  if (twice !== undefined) throw notUnique(twice, values.id);
  const last = paths.pass(state.pass);
  await replaceFile(paths.csv, (path) => writeCsv(last, path, separator));
  await replaceFile(paths.ndjson, (path) => copyFile(last, path));
  await rm(paths.state);
  // Also those of a run by another id.
  const rest = (await readdir(folder)).filter((name) => /^pass-\d+\.ndjson$/.test(name));
  for (const name of rest) await rm(join(folder, name));
  console.log(`Results exported: ${pass.size} (see ${paths.csv} and ${paths.ndjson})`);
  if (!isSettled) {
    console.error(
      `The list still moved in pass ${state.pass}, so these files may lack results. Run this again when the exam is over.`,
    );
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof IdError) && !isExamServiceError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await service.close();
}

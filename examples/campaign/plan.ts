/**
 * Puts the pairs of a CSV file (columns participant_id and exam_id) on the queue, each as one job.
 *
 *   npx node examples/campaign/plan.ts pairs.csv [--rate 100] [--retry-failed]
 *
 * Planning a file twice adds nothing, even while workers run: if it was cut off, run it again. `--rate` limits the requests a second
 * of all workers together, 100 unless it was set before. `--retry-failed` puts failed pairs back, and resumes a campaign that was
 * paused because the service rejected the key.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import type { Assignment } from 'exam-service-sdk';
import { openCampaign } from './campaign.ts';

const BATCH_SIZE = 1_000;
const DEFAULT_RATE = 100;
/** A pair takes two requests at most: assign it, get its link. */
const REQUESTS_PER_PAIR = 2;
/** Pairs start in small groups instead of all of a second's at once. */
const GROUPS_PER_SECOND = 10;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string' },
    'retry-failed': { type: 'boolean', default: false },
  },
});
const [path] = positionals;
const rate = Number(values.rate ?? DEFAULT_RATE);
if (path === undefined) throw new Error('Name a CSV file with the columns participant_id and exam_id.');
if (!(rate > 0)) throw new Error(`--rate is ${values.rate}; it is a number of requests a second above 0.`);

/** Reads the whole file before anything is planned, so that a bad row stops the whole plan. */
async function readPairs(path: string): Promise<Assignment[]> {
  const rows = parse<{ record: Partial<Record<string, string>>; info: { lines: number } }>(
    await readFile(path),
    {
      bom: true,
      columns: true,
      delimiter: [',', ';', '\t'],
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    },
  );
  return rows.map(({ record, info }) => {
    const idOf = (column: keyof Assignment) => {
      // `Number` alone would read 12.000, 1e3 and 0x10, which are other ids.
      const id = /^[1-9]\d*$/.test(record[column] ?? '') ? Number(record[column]) : Number.NaN;
      if (Number.isSafeInteger(id)) return id;
      throw new Error(`Line ${info.lines}: ${column} is ${record[column]}; it is a whole number above 0.`);
    };
    return { participant_id: idOf('participant_id'), exam_id: idOf('exam_id') };
  });
}

/**
 * Puts failed pairs back with all their attempts, which `queue.retryJobs` would not give them. The oldest come first, as one that
 * fails again meanwhile is the newest.
 */
async function retryFailed(): Promise<void> {
  for (let left = await queue.getFailedCount(); left > 0; left -= BATCH_SIZE) {
    const jobs = await queue.getJobs(['failed'], 0, Math.min(left, BATCH_SIZE) - 1, true);
    await Promise.all(jobs.map((job) => job.retry('failed', { resetAttemptsMade: true })));
  }
}

const all = await readPairs(path).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const total = all.length;

const { queue, persist, notePlan, endPlan, countNew, close } = await openCampaign();
try {
  await notePlan({ file: path, planned: 0, total });
  if (values.rate !== undefined || (await persist(() => queue.getGlobalRateLimit())) === null) {
    // The queue counts the jobs of all its workers together.
    const max = Math.max(1, Math.floor(rate / REQUESTS_PER_PAIR / GROUPS_PER_SECOND));
    const period = Math.ceil((max * REQUESTS_PER_PAIR * 1_000) / rate);
    await persist(() => queue.setGlobalRateLimit(max, period));
  }
  let added = 0;
  for (let planned = 0; planned < total; planned += BATCH_SIZE) {
    // A job whose id is known already is not added. (BullMQ takes neither a colon nor a plain number.)
    const pairs = all.slice(planned, planned + BATCH_SIZE);
    const jobs = pairs.map((data) => ({ data, jobId: `${data.participant_id}-${data.exam_id}` }));
    // One by one: `addBulk` fails after a restart, as it does not load its scripts again.
    await persist(() => Promise.all(jobs.map(({ data, jobId }) => queue.add('ensure', data, { jobId }))));
    added += await countNew(jobs.map(({ jobId }) => jobId));
    await notePlan({ file: path, planned: planned + pairs.length, total });
  }
  console.log(`Added ${added} pairs; ${total - added} were planned already.`);
  if (values['retry-failed']) {
    await persist(retryFailed);
    await persist(() => queue.resume());
  }
  await endPlan(path);
} finally {
  await close();
}

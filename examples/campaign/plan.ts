/**
 * Puts the pairs of a CSV file (columns participant_id and exam_id) on the queue, each as one job.
 *
 *   npx node examples/campaign/plan.ts pairs.csv [--rate 100] [--retry-failed]
 *
 * Planning a file twice adds nothing, also while workers run. `--rate` is how many requests a second all workers together
 * send at most, 100 unless it was set before. `--retry-failed` puts failed pairs back, and takes up a campaign that was paused
 * because the service refused the key.
 */
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import type { Assignment } from 'exam-service-sdk';
import { startProgress } from '../support/progress.ts';
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
const [file] = positionals;
const rate = Number(values.rate ?? DEFAULT_RATE);
if (file === undefined) throw new Error('Name a CSV file with the columns participant_id and exam_id.');
if (!(rate > 0)) throw new Error(`--rate is ${values.rate}; it is a number of requests a second above 0.`);

/** Reads the file piece by piece, however long it is. */
async function* readPairs(path: string): AsyncGenerator<Assignment> {
  const parser = parse({ columns: true, info: true, bom: true, skip_empty_lines: true });
  const input = createReadStream(path).on('error', (error) => parser.destroy(error));
  for await (const { record, info } of input.pipe(parser)) {
    const idOf = (column: string) => {
      const id = Number(record[column]);
      if (Number.isSafeInteger(id) && id > 0) return id;
      throw new Error(`Line ${info.lines}: ${column} is ${record[column]}; it is a whole number above 0.`);
    };
    yield { participant_id: idOf('participant_id'), exam_id: idOf('exam_id') };
  }
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// Read once before anything is planned, so that a bad row stops the whole plan.
let total = 0;
for await (const _pair of readPairs(file)) total += 1;

const { queue, close } = await openCampaign();
try {
  if (values.rate !== undefined || (await queue.getGlobalRateLimit()) === null) {
    // The queue counts the jobs of all its workers together.
    const max = Math.max(1, Math.floor(rate / REQUESTS_PER_PAIR / GROUPS_PER_SECOND));
    await queue.setGlobalRateLimit(max, Math.ceil((max * REQUESTS_PER_PAIR * 1_000) / rate));
  }
  const before = await queue.getJobCountByTypes();
  const progress = startProgress('Read', total);
  for await (const pairs of inBatches(readPairs(file))) {
    await queue.addBulk(
      pairs.map((data) => ({
        name: 'ensure',
        data,
        // A job whose id is known already is not added. (BullMQ takes neither a colon nor a plain number.)
        opts: { jobId: `${data.participant_id}-${data.exam_id}` },
      })),
    );
    progress.step(pairs.length);
  }
  progress.stop();
  const added = (await queue.getJobCountByTypes()) - before;
  console.log(`Added ${added} pairs; ${total - added} were planned already.`);
  if (values['retry-failed']) {
    await queue.retryJobs({ state: 'failed' });
    await queue.resume();
  }
} finally {
  await close();
}

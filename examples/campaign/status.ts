/**
 * Shows how far the campaign is, and writes its links and failures to CSV files when every pair has ended.
 *
 *   npx node examples/campaign/status.ts [folder] [--forget]
 *
 * Anyone who has a link can take the exam in that participant's name, so only you can read the files (by default in `out/`, which
 * git ignores). Redis holds the links as well: `--forget` removes the campaign from it once the files are written.
 */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { clearLine } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Job } from 'bullmq';
import { stringify } from 'csv-stringify/sync';
import type { Assignment, EnsuredAssignment } from 'exam-service-sdk';
import { openCampaign } from './campaign.ts';

const REFRESH_MS = 1_000;
const PAGE_SIZE = 1_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { forget: { type: 'boolean', default: false } },
});
const [folder = 'out'] = positionals;
const { queue, persist, unfinishedPlans, forget, close } = await openCampaign();

async function readStatus() {
  // Asked first: what is under way after a pause is the last that will be.
  const isPaused = await queue.isPaused();
  const { waiting = 0, active = 0, delayed = 0, completed = 0, failed = 0 } = await queue.getJobCounts();
  const workers = await queue.getWorkersCount();
  const left = waiting + active + delayed;
  return { waiting, active, delayed, completed, failed, isPaused, workers, left, ended: completed + failed };
}
type Status = Awaited<ReturnType<typeof readStatus>>;

const start = { ...(await persist(readStatus)), at: performance.now() };

/** The status on one line, which a terminal of 80 columns shows whole. */
function render({ active, failed, workers, left, ended, isPaused }: Status): string {
  const perSecond = ((ended - start.ended) * 1_000) / (performance.now() - start.at);
  const pace = `${perSecond.toFixed(0)}/s${perSecond > 0 ? `, ${Math.ceil(left / perSecond)} s left` : ''}`;
  const counts = `${ended} of ${ended + left} ended, ${failed} failed; ${active} under way`;
  return `${counts}, ${workers} workers; ${isPaused ? 'paused' : pace}`;
}

/** Shows the line until every pair has ended, or until the campaign was paused and what was under way has ended. */
async function watch(): Promise<Status> {
  let plans = '';
  for (; ; await setTimeout(REFRESH_MS)) {
    const before = plans;
    plans = JSON.stringify(await unfinishedPlans());
    const isPlanned = plans === '[]' || plans === before;
    const status = await persist(readStatus);
    const isOver = (status.left === 0 && isPlanned) || (status.isPaused && status.active === 0);
    if (process.stdout.isTTY) {
      clearLine(process.stdout, 0);
      process.stdout.write(`\r${render(status)}${isOver ? '\n' : ''}`);
    }
    if (isOver) return status;
  }
}

/** The jobs that ended in this way, a page at a time. */
async function* jobsThat(state: 'completed' | 'failed'): AsyncGenerator<Job<Assignment, EnsuredAssignment>> {
  for (let from = 0; ; from += PAGE_SIZE) {
    const jobs = await queue.getJobs([state], from, from + PAGE_SIZE - 1, true);
    yield* jobs;
    if (jobs.length === 0) return;
  }
}

/** Writes beside the file and renames, so that an interruption leaves the old file as it was. */
async function writeCsv(
  name: string,
  state: 'completed' | 'failed',
  column: string,
  cellOf: (job: Job<Assignment, EnsuredAssignment>) => unknown,
): Promise<void> {
  const path = join(folder, name);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.write(stringify([['participant_id', 'exam_id', column]], { bom: true }));
    for await (const job of jobsThat(state)) {
      const cells = [job.data.participant_id, job.data.exam_id, cellOf(job)];
      await file.write(stringify([cells], { escape_formulas: true }));
    }
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** Says which plans were cut off, and whether there is one. */
async function tellUnfinished(): Promise<boolean> {
  const plans = await unfinishedPlans();
  for (const { file, planned, total } of plans) {
    const [some, all] = [planned, total].map((count) => count.toLocaleString('en-US'));
    console.error(`${some} of ${all} planned: run plan.ts again with ${file}.`);
  }
  return plans.length > 0;
}

try {
  const { completed, failed, left, ended, isPaused } = await watch();
  if (left + ended > 0) {
    await mkdir(folder, { recursive: true });
    await persist(() =>
      writeCsv('campaign-links.csv', 'completed', 'link', ({ returnvalue }) => returnvalue.url),
    );
    await persist(() =>
      writeCsv('campaign-failures.csv', 'failed', 'reason', ({ failedReason }) => failedReason),
    );
    console.log(`Assigned ${completed}, failed ${failed}, left ${left} (see campaign-*.csv in ${folder})`);
  }
  const isUnfinished = await tellUnfinished();
  if (isPaused)
    console.error(
      'Paused, as the service rejected the key. Correct it, then plan again with --retry-failed.',
    );
  // Files of an earlier campaign stay.
  else if (left + ended === 0) console.error(`Nothing is planned in the campaign ${queue.name}.`);
  else if (!isUnfinished && values.forget) {
    await forget();
    console.log('Removed from Redis');
  }
  if (isUnfinished || isPaused || left + ended === 0) process.exitCode = 1;
} finally {
  await close();
}

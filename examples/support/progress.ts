import { Presets, SingleBar } from 'cli-progress';

/** Shows how far a job is. */
export interface Progress {
  /** So many more are done. @default 1 */
  step(count?: number): void;
  /** So many are done. */
  to(count: number): void;
  stop(): void;
}

/**
 * A bar on a terminal; elsewhere (a pipe, a log file) one plain line when the work is done. A total that turns out too
 * small grows.
 */
export function startProgress(label: string, atLeast: number): Progress {
  let done = 0;
  let total = atLeast;
  const format = `${label} {bar} {value}/{total}`;
  const bar = process.stdout.isTTY
    ? new SingleBar({ format, hideCursor: true }, Presets.shades_classic)
    : null;
  bar?.start(total, 0);
  const to = (count: number) => {
    done = count;
    if (done > total) {
      total = done;
      bar?.setTotal(total);
    }
    bar?.update(count);
  };
  return {
    to,
    step: (count = 1) => to(done + count),
    stop: () => (bar === null ? console.log(`${label}: ${done} of ${total}`) : bar.stop()),
  };
}

import { Presets, SingleBar } from 'cli-progress';

/** A bar on a terminal; elsewhere (a pipe, a log file) one plain line when the work is done. */
export function startProgress(label: string, total: number): { step(count?: number): void; stop(): void } {
  if (!process.stdout.isTTY) {
    let done = 0;
    return {
      step: (count = 1) => {
        done += count;
      },
      stop: () => console.log(`${label}: ${done} of ${total}`),
    };
  }
  const bar = new SingleBar(
    { format: `${label} {bar} {value}/{total}`, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: (count = 1) => bar.increment(count), stop: () => bar.stop() };
}

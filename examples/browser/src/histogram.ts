// Sorts scores into the bars of the chart.

/** How many scores lie from `from` to below `to`; the last bar includes its end. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const MOST_BARS = 12;

/**
 * Counts scores into bars of one round width. The scale of a score is not documented, so it is taken from the
 * scores.
 */
export function histogram(scores: readonly number[]): Bar[] {
  if (scores.length === 0) return [];
  const lowest = Math.min(...scores);
  const highest = Math.max(...scores);
  const width = roundUp((highest - lowest) / (MOST_BARS - 1) || 1);
  const first = Math.floor(lowest / width);
  const bars = Math.max(1, Math.ceil(highest / width) - first);
  const counts = new Array<number>(bars).fill(0);
  for (const score of scores) {
    const index = Math.min(Math.floor(score / width) - first, bars - 1);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({
    from: (first + index) * width,
    to: (first + index + 1) * width,
    count,
  }));
}

/** The next of 1, 2, 5, 10, 20, 50… and their fractions. */
function roundUp(width: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(width));
  const step = [1, 2, 5].find((factor) => factor * magnitude >= width);
  return (step ?? 10) * magnitude;
}

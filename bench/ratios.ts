// How two contenders are compared: each measurement is a ratio of two that were taken in turns, so that a busy machine meets both.

/** How many times as much the first of two takes: the median of the ratios, and their quartiles. */
export interface Comparison {
  /** A text where the quartiles lie further apart than a tenth: another run would give another figure. */
  readonly times: number | 'not certain';
  readonly quartiles: readonly [number, number];
}

/** The distance of the quartiles, in parts of the median. */
const WIDEST = 0.1;

/** What several ratios say together. */
export function toComparison(ratios: readonly number[]): Comparison {
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
  const median = quantile(ratios, 0.5);
  const isCertain = high - low <= WIDEST * median;
  return { times: isCertain ? round(median) : 'not certain', quartiles: [round(low), round(high)] };
}

/** The value below which this part of them lies, between two of them in proportion. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = part * (sorted.length - 1);
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(at));
  return below + (above - below) * (at % 1);
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

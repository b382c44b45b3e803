import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { histogram } from '../../examples/browser/src/histogram.ts';

describe('the histogram of scores', () => {
  test('has no bar without scores, and one for scores that are all the same', () => {
    expect(histogram([])).toEqual([]);
    expect(histogram([80, 80])).toEqual([{ from: 80, to: 81, count: 2 }]);
    expect(histogram([0])).toEqual([{ from: 0, to: 1, count: 1 }]);
  });

  test('has bars of a round width, whatever the scale of the scores', () => {
    expect(histogram([28.75, 55, 60, 100])).toMatchObject([
      { from: 20, to: 30, count: 1 },
      { from: 30, count: 0 },
      { from: 40, count: 0 },
      { from: 50, count: 1 },
      { from: 60, count: 1 },
      { from: 70, count: 0 },
      { from: 80, count: 0 },
      { from: 90, to: 100, count: 1 },
    ]);
    expect(histogram([1, 4]).every(({ from, to }) => Math.abs(to - from - 0.5) < 1e-9)).toBe(true);
    expect(histogram([-40, 960])[0]).toEqual({ from: -100, to: 0, count: 1 });
  });

  test('counts every score once, in twelve bars at most that leave no gap', () => {
    const score = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 4);
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 200 }), (scores) => {
        const bars = histogram(scores);
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(scores.length);
        expect(bars.length).toBeLessThanOrEqual(13);
        for (const [index, { from }] of bars.entries())
          if (index > 0) expect(bars[index - 1]?.to).toBeCloseTo(from);
      }),
    );
  });
});

// How the bench compares: by the median of ratios, unless they lie too far apart for one.

import { expect, test } from 'vitest';
import { toComparison } from '../../bench/ratios.ts';

test.each([
  ['the median, which a disturbed measurement does not move', [1.2, 1.21, 1.19, 9, 1.2], 1.2, [1.2, 1.21]],
  ['the mean of the two in the middle', [1, 1.02, 1.04, 1.06], 1.03, [1.015, 1.045]],
  ['quartiles nearly a tenth of it apart', [0.9, 0.96, 1, 1.05, 1.1], 1, [0.96, 1.05]],
  ['no figure where they lie further apart', [0.9, 0.94, 1, 1.06, 1.1], 'not certain', [0.94, 1.06]],
])('ratios give %s', (_, ratios, times, quartiles) => {
  expect(toComparison(ratios)).toEqual({ times, quartiles });
});

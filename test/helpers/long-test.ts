// Tests of the long form: kills, resumptions, odd files and shutdowns, whose code seldom changes and which take long.
import { test } from 'vitest';
import { isLong } from './requirements.ts';

/** A test that is skipped in the short form, before its hooks, with the reason. */
export const longTest = test.extend('longForm', { auto: true }, ({ skip }) =>
  skip(!isLong, 'belongs to the long form: LONG_TESTS=1'),
);

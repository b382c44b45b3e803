import { describe, expect, test } from 'vitest';
import { describeSkipped } from '../skipped.ts';

const redis = { isMet: false, missing: 'REDIS_URL names no server' };
const browser = { isMet: false, missing: 'CHROME_PATH names no browser' };

describe('the last line of npm test', () => {
  test('says how many tests were skipped, why, and what runs them', () => {
    const line = describeSkipped(28, [redis, { ...browser, isMet: true }], true);
    expect(line).toBe('28 tests were skipped: REDIS_URL names no server. `.ci/run` runs everything.');
  });

  test('names every reason, and the short form of long tests', () => {
    const line = describeSkipped(40, [redis, browser], false);
    expect(line).toContain('40 tests were skipped: REDIS_URL names no server; CHROME_PATH names no browser.');
    expect(line).toContain('LONG_TESTS=1');
  });

  test('says so where nothing is left out', () => {
    expect(describeSkipped(0, [{ ...redis, isMet: true }], true)).toBe(
      'Every test was run, in its long form.',
    );
  });
});

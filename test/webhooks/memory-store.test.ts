import { expect, test } from 'vitest';
import { ConfigurationError, createMemoryStore } from '../../src/webhooks/index.ts';

test('a key is claimed once until it is released', () => {
  const store = createMemoryStore();
  expect(store.claim('a', 60)).toBe(true);
  expect(store.claim('a', 60)).toBe(false);
  expect(store.claim('b', 60)).toBe(true);
  store.release('a');
  expect(store.claim('a', 60)).toBe(true);
});

test('a claim ends with its time', () => {
  let now = 1_000;
  const store = createMemoryStore({ now: () => now });
  store.claim('a', 60);
  now += 59_999;
  expect(store.claim('a', 60)).toBe(false);
  now += 1;
  expect(store.claim('a', 60)).toBe(true);
});

test('a key is complete for as long as it was completed for, counted from then', () => {
  let now = 0;
  const store = createMemoryStore({ now: () => now });
  store.claim('a', 60);
  expect(store.isComplete('a')).toBe(false);
  now = 30_000;
  store.complete('a', 60);
  now = 89_999;
  expect([store.isComplete('a'), store.claim('a', 60)]).toEqual([true, false]);
  now = 90_000;
  expect([store.isComplete('a'), store.claim('a', 60)]).toEqual([false, true]);
});

test('beyond the maximum the oldest key is forgotten', () => {
  const store = createMemoryStore({ maxEntries: 2 });
  store.claim('a', 60);
  store.claim('b', 60);
  store.complete('a', 60);
  store.claim('c', 60);
  expect(store.claim('a', 60)).toBe(false);
  expect(store.claim('c', 60)).toBe(false);
  expect(store.claim('b', 60)).toBe(true);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a maximum of %s is refused', (maxEntries) => {
  expect(() => createMemoryStore({ maxEntries })).toThrow(ConfigurationError);
});

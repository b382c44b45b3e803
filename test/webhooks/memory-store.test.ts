import { expect, test, vi } from 'vitest';
import { ConfigurationError, createMemoryStore } from '../../src/webhooks/index.ts';

test('a key is claimed once until it is released', () => {
  const store = createMemoryStore();
  expect(store.claim('a', 'one', 60)).toBe(true);
  expect(store.claim('a', 'one', 60)).toBe(false);
  expect(store.claim('b', 'one', 60)).toBe(true);
  store.release('a', 'one');
  expect(store.claim('a', 'one', 60)).toBe(true);
});

test('only its owner gives a claim up, and nobody a mark', () => {
  const store = createMemoryStore();
  store.claim('a', 'one', 60);
  store.release('a', 'other');
  expect(store.claim('a', 'other', 60)).toBe(false);
  store.complete('a', 'one', 60);
  store.release('a', 'one');
  expect(store.isComplete('a')).toBe(true);
});

test('a claim ends with its time, and its owner does not give up the claim that came after it', () => {
  let now = 1_000;
  const store = createMemoryStore({ now: () => now });
  store.claim('a', 'late', 60);
  now += 59_999;
  expect(store.claim('a', 'next', 60)).toBe(false);
  now += 1;
  expect(store.claim('a', 'next', 60)).toBe(true);
  store.release('a', 'late');
  expect(store.claim('a', 'third', 60)).toBe(false);
});

test('a key is complete for as long as it was completed for, counted from then', () => {
  let now = 0;
  const store = createMemoryStore({ now: () => now });
  store.claim('a', 'one', 60);
  expect(store.isComplete('a')).toBe(false);
  now = 30_000;
  store.complete('a', 'one', 60);
  now = 89_999;
  expect([store.isComplete('a'), store.claim('a', 'one', 60)]).toEqual([true, false]);
  now = 90_000;
  expect([store.isComplete('a'), store.claim('a', 'one', 60)]).toEqual([false, true]);
});

test('beyond the maximum the oldest key is forgotten', () => {
  const store = createMemoryStore({ maxEntries: 2 });
  store.claim('a', 'one', 60);
  store.claim('b', 'one', 60);
  store.complete('a', 'one', 60);
  store.claim('c', 'one', 60);
  expect(store.claim('a', 'one', 60)).toBe(false);
  expect(store.claim('c', 'one', 60)).toBe(false);
  expect(store.claim('b', 'one', 60)).toBe(true);
});

test('a release of a key that is unknown, or forgotten since, changes nothing', () => {
  const store = createMemoryStore({ maxEntries: 1 });
  store.release('a', 'one');
  store.claim('a', 'one', 60);
  store.claim('b', 'one', 60);
  store.release('a', 'one');
  expect([store.claim('b', 'one', 60), store.claim('a', 'one', 60)]).toEqual([false, true]);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a maximum of %s is rejected', (maxEntries) => {
  expect(() => createMemoryStore({ maxEntries })).toThrow(ConfigurationError);
});

test('an option that does not exist is rejected, with the one that was meant', () => {
  const meant = 'in the options of createMemoryStore: `maxEntry` (did you mean `maxEntries`?)';
  expect(() => createMemoryStore({ maxEntry: 5 } as object)).toThrow(meant);
});

test('a system clock that is set back holds no event: the store goes by a monotonic one', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const store = createMemoryStore();
  expect(store.claim('a', 'one', 60)).toBe(true);
  vi.setSystemTime(Date.now() - 600_000);
  vi.advanceTimersByTime(60_000);
  expect(store.claim('a', 'two', 60)).toBe(true);
});

import { expect, test, vi } from 'vitest';
import { isMovable } from '../../src/testing/emulator/service/clock.ts';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { createGate } from '../helpers/gate.ts';
import { createReceiver } from './helpers.ts';

test('a manual clock stands still until it is moved', async () => {
  const clock = createManualClock(1000);
  expect(clock.now()).toBe(1000);
  await clock.advance(500);
  expect(clock.now()).toBe(1500);
});

test('tasks run in order of time, each at its own moment, those of one moment in the order in which they came', async () => {
  const clock = createManualClock(0);
  const seen: [string, number][] = [];
  const note = (name: string) => async () => {
    seen.push([name, clock.now()]);
  };
  clock.schedule(30, note('c'));
  clock.schedule(10, note('a'));
  clock.schedule(30, note('d'));
  clock.schedule(20, note('b'));
  await clock.advance(25);
  expect(seen).toEqual([
    ['a', 10],
    ['b', 20],
  ]);
  await clock.advance(5);
  expect(seen.slice(2)).toEqual([
    ['c', 30],
    ['d', 30],
  ]);
});

test('what a task schedules within the step runs in the same step', async () => {
  const clock = createManualClock(0);
  const seen: number[] = [];
  const again = async (): Promise<void> => {
    seen.push(clock.now());
    clock.schedule(10, again);
  };
  clock.schedule(10, again);
  await clock.advance(35);
  expect(seen).toEqual([10, 20, 30]);
  expect(clock.now()).toBe(35);
});

test('a step is over when its tasks are', async () => {
  const clock = createManualClock(0);
  let done = false;
  clock.schedule(0, async () => {
    await Promise.resolve();
    done = true;
  });
  await clock.advance(0);
  expect(done).toBe(true);
});

test('a task that is cancelled does not run', async () => {
  const clock = createManualClock(0);
  const task = vi.fn(async () => {});
  const cancel = clock.schedule(10, task);
  cancel();
  await clock.advance(20);
  expect(task).not.toHaveBeenCalled();
});

test('a step fails with the error of its task', async () => {
  const clock = createManualClock(0);
  clock.schedule(10, async () => {
    throw new Error('broken task');
  });
  await expect(clock.advance(10)).rejects.toThrow('broken task');
});

test('time does not go back', async () => {
  await expect(createManualClock().advance(-1)).rejects.toThrow(RangeError);
});

test('without a clock of its own an emulator goes by real time', async () => {
  vi.useFakeTimers({ now: Date.UTC(2025, 2, 1, 1) });
  const receiver = createReceiver(500);
  const emulator = createEmulator({ fetch: receiver.fetch, retryDelays: [1000] });
  const base = 'https://service.example.test/api/v1';
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers };
  const body = JSON.stringify({ url: 'https://receiver.example.test/', events: ['exam_result.completed'] });
  await emulator.fetch(`${base}/webhooks`, { ...init, body });
  await emulator.fetch(`${base}/webhooks/1/test`, init);
  await emulator.settled();
  expect(receiver.received).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  await emulator.settled();
  expect(receiver.received).toHaveLength(2);
  expect(emulator.deliveries.map(({ sent_at }) => sent_at % 60_000)).toEqual([0, 1000]);
});

test('a task that falls due while another runs asks for no time that is over, of which Node would warn', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const { clock } = createEmulator();
  if (!isMovable(clock)) throw new Error('The clock of an emulator can be moved.');
  clock.schedule(5, async () => void vi.setSystemTime(1_000));
  const done = createGate();
  clock.schedule(500, async () => done.open());
  await clock.advance(5);
  expect(setTimer.mock.calls.map(([, delay]) => delay)).toEqual([5, 500, 0]);
  await done.promise;
});

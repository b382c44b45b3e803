import type { Emulator, Fault } from '../../src/testing/index.ts';
import { randomOf } from './random.ts';

/** Faults at random requests: each strikes its share of the next `requests` that it concerns. */
export function injectAtRandom(
  { faults }: Emulator,
  { seed, requests }: { readonly seed: number; readonly requests: number },
  shares: readonly (readonly [share: number, fault: Fault])[],
): void {
  const random = randomOf(seed);
  for (let skip = 0; skip < requests; skip += 1) {
    for (const [share, fault] of shares) if (random() < share) faults.inject({ ...fault, skip });
  }
}

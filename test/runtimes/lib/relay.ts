import type { Duplex } from 'node:stream';

/** Pipes both ways; when one side ends or breaks, so does the other. */
export function relay(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

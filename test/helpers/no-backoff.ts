import { vi } from 'vitest';

/** The pause before a repetition, up to a random part of it, is none at all. */
export function withoutBackoff(): Disposable {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return { [Symbol.dispose]: () => random.mockRestore() };
}

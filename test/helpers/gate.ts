/** A promise that a test settles by hand. */
export interface Gate<T> {
  readonly promise: Promise<T>;
  readonly open: (value: T) => void;
  readonly fail: (reason: unknown) => void;
}

/** Makes a gate, so that a test waits for what happens and never for time to pass. */
export function createGate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {};
  let fail: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Lets everything run that is due already, such as reactions to promises that are settled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A promise that nobody settles. */
export const never = () => new Promise<never>(() => {});

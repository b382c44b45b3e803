// The time limit of a receiver, and how it is told from what a handler throws.

/** Limits that were exceeded. */
const exceeded = new WeakSet<object>();

/** Says what has exceeded the time limit. */
export function tooLate(what: string, limitMs: number | false): DOMException {
  const error = new DOMException(`${what} took longer than ${limitMs} ms.`, 'TimeoutError');
  exceeded.add(error);
  return error;
}

/** Whether the receiver's own limit was exceeded, not one that a handler had. */
export function isTooLate(error: unknown): error is DOMException {
  return exceeded.has(Object(error));
}

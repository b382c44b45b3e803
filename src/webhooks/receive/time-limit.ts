// The time limit of a receiver, for the code of its user that it calls.

import { withTimeout } from '../../core/time.ts';

/** The receiver's own time limit was exceeded, not one inside a handler. */
export class ReceiverTimeout extends DOMException {
  constructor(what: string, limitMs: number | false) {
    super(`${what} took longer than ${limitMs} ms.`, 'TimeoutError');
  }
}

/** The result of code that the receiver calls; rejects with `ReceiverTimeout` after `limitMs`. */
export function limitTime<T>(what: string, limitMs: number | false, given: Promise<T>): Promise<T> {
  return withTimeout(limitMs, given, () => {
    throw new ReceiverTimeout(what, limitMs);
  });
}

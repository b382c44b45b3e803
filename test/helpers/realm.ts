import { createContext, runInContext } from 'node:vm';

/** Evaluates an expression in a realm with classes of its own, as a test runner's sandbox or a frame has. */
export function inOtherRealm<T>(expression: string): T {
  return runInContext(`(${expression})`, createContext({}));
}

/** An AbortController of that realm, as a polyfill makes it: its signal has neither `throwIfAborted` nor is it one of the platform. */
export function abortControllerOfOtherRealm(): AbortController {
  return inOtherRealm<AbortController>(`(() => {
    const listeners = new Set();
    const signal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    };
    const abort = (reason) => {
      Object.assign(signal, { aborted: true, reason });
      for (const listener of listeners) listener();
    };
    return { signal, abort };
  })()`);
}

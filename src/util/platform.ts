// What the platform has besides the language, looked up at run time so that one bundle loads everywhere.

import { tryOrUndefined } from './try-or-undefined.ts';

/** The part of Node's `process` in use; declared here because the sources compile without Node's types. */
interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions: object;
  getBuiltinModule(name: string): object | undefined;
}

/**
 * What `look` finds in `process`. `undefined` if the lookup fails for any reason: many platforms have no process, Deno
 * asks for a permission to read the environment, and the sandbox of Next.js' edge runtime replaces functions by ones that throw.
 */
export function lookUp<T>(look: (process: Process) => T): T | undefined {
  return tryOrUndefined(() => look((globalThis as unknown as { process: Process }).process));
}

/** Whether this is a page of a browser. */
export function isBrowserPage(): boolean {
  return typeof window !== 'undefined' && typeof window.document !== 'undefined';
}

/** Whether this is workerd, the runtime of Cloudflare Workers. */
export function isWorker(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers';
}

/** A variable of the process environment, where the platform has one. */
export function readEnvironment(name: string): string | undefined {
  return lookUp(({ env }) => env[name]?.trim()) || undefined;
}

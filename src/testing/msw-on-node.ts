// msw handlers for Node, where msw is loaded only when they are created.

import type { Emulator } from './emulator/emulator-api.ts';
import { answerWith, type MswHandlerOptions } from './msw-handler.ts';

/** The part of msw that creates handlers. */
interface Msw {
  readonly http: { all(path: string, resolve: unknown): never };
}

/**
 * Request handlers for msw that answer as the emulator does, in Node 22.12 or later. msw is an optional peer dependency
 * and is loaded only when you call this, from the project in the working directory. The return type fits
 * `setupServer(...)` although this entry point does not need the types of msw. Elsewhere, import the function of the
 * same name from `exam-service-sdk/testing/msw`.
 *
 * @throws {Error} when msw cannot be loaded
 * @throws {TypeError} when the base URL is not absolute
 */
export function createMswHandlers(emulator: Emulator, options: MswHandlerOptions = {}): never[] {
  const { path, resolve } = answerWith(emulator, options);
  return [loadMsw().http.all(path, resolve)];
}

function loadMsw(): Msw {
  try {
    const { createRequire } = globalThis.process.getBuiltinModule('node:module');
    return createRequire(`${globalThis.process.cwd()}/`)('msw') as Msw;
  } catch (cause) {
    throw new Error(
      'msw could not be loaded from the working directory. Install it (npm install --save-dev msw), or import ' +
        'createMswHandlers from exam-service-sdk/testing/msw.',
      { cause },
    );
  }
}

// The entry `exam-service-sdk/testing/msw`: msw handlers that need no Node, for tests in a browser.

import { type HttpHandler, http } from 'msw';
import type { Emulator } from './emulator/emulator-api.ts';
import { answerWith, type MswHandlerOptions } from './msw-handler.ts';

export type { MswHandlerOptions } from './msw-handler.ts';

/**
 * Request handlers for msw (`setupServer`, `setupWorker`) that answer everything below the base URL as the
 * emulator does, faults included. In Node, msw ends a body that breaks where it broke, instead of breaking it.
 *
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...createMswHandlers(emulator));
 * ```
 *
 * @throws {TypeError} when the base URL is not absolute
 */
export function createMswHandlers(emulator: Emulator, options: MswHandlerOptions = {}): HttpHandler[] {
  const { path, resolve } = answerWith(emulator, options);
  return [http.all(path, resolve)];
}

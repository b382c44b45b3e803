// What the page, the worker of a snippet and the frame of the console send each other.

export type FromWorker =
  | { readonly type: 'started' | 'done' | 'failed' | 'pong' }
  | { readonly type: 'print'; readonly snippet: number; readonly text: string; readonly isError: boolean };

/** `console` comes with the port through which the console asks. */
export type ToWorker = 'ping' | 'console';

/** A request of the console to the emulator. */
export interface Question {
  readonly id: number;
  readonly path: string;
  readonly method: string;
  readonly body: string | undefined;
}

/** `changed`: the emulator's contents have. */
export type FromConsolePort =
  | 'changed'
  | { readonly id: number; readonly status: number; readonly text: string };

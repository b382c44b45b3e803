import type { Terminal } from './terminal.ts';

/** A command of the program, selected by the first word on the command line. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  readonly help: string;
  /**
   * Resolves when it is done or was stopped.
   *
   * @throws {CommandError} when it fails
   */
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

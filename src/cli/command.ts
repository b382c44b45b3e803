import type { Terminal } from './terminal.ts';

/** Something that the program does, called by the name that stands first on the command line. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  readonly help: string;
  /**
   * Resolves when it is done, or was told to stop.
   *
   * @throws {CommandError} when it cannot be done
   */
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

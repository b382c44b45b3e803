// The errors that end a command with a message and without a stack trace.

/** The request cannot be fulfilled; the message says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command line itself is wrong. */
export class UsageError extends CommandError {}

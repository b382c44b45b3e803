/** What the user asked for cannot be done; the message says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command line itself is wrong. */
export class UsageError extends CommandError {}

/** The words of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

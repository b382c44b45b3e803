/** Ends a program that cannot begin with the message alone: `await openCsv(path, columns).catch(giveUp)`. */
export function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

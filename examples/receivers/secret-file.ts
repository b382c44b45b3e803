/** The signing secret of an endpoint in a file that receivers share; a secret store of your platform does as well. */
import { readFile, rename, writeFile } from 'node:fs/promises';

interface SecretFile {
  readonly current: string;
  /** The secret before a rotation, and until when it counts. */
  readonly previous?: { readonly secret: string; readonly until: string };
}

async function read(path: string): Promise<SecretFile | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The secrets that count now. Before the first rotation there is no file, and `first` counts. */
export async function readSecrets(path: string, first: string): Promise<string[]> {
  const { current, previous } = (await read(path)) ?? { current: first };
  return previous && Date.parse(previous.until) > Date.now() ? [current, previous.secret] : [current];
}

/** Puts a new secret in place, and keeps the one before it for `overlapMs`. */
export async function writeSecret(
  path: string,
  secret: string,
  first: string,
  overlapMs: number,
): Promise<void> {
  const before = (await read(path))?.current ?? first;
  const until = new Date(Date.now() + overlapMs).toISOString();
  const file: SecretFile = { current: secret, previous: { secret: before, until } };
  // By renaming, so that no receiver reads half a file; for this user's eyes only.
  await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

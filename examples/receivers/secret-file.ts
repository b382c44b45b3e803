/** The signing secret of an endpoint in a file that receivers share; a secret store of your platform does as well. */
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SecretFile {
  readonly current: string;
  /** The secret before a rotation, and until when it counts. */
  readonly previous?: { readonly secret: string; readonly until: string };
}

/** What the file holds. Before the first rotation there is no file, and `first` counts. */
async function read(path: string, first: string): Promise<SecretFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { current: first };
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    throw new Error(`${path} is not JSON. Correct it, or remove it and set EXAM_SERVICE_WEBHOOK_SECRET.`);
  }
}

/** By renaming, so that no receiver reads half a file; for this user's eyes only. */
async function replace(path: string, file: SecretFile): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The secrets that count now. */
export async function readSecrets(path: string, first: string): Promise<string[]> {
  const { current, previous } = await read(path, first);
  return previous && Date.parse(previous.until) > Date.now() ? [current, previous.secret] : [current];
}

/**
 * Makes sure that a new secret can be written, by writing what is there already.
 *
 * @throws {Error} if it cannot, or if the secret of today is not known: receivers would reject what is signed with it
 */
export async function checkWritable(path: string, first: string): Promise<void> {
  const file = await read(path, first);
  if (!file.current) {
    throw new Error(
      `Nothing was rotated: ${path} holds no secret, so set EXAM_SERVICE_WEBHOOK_SECRET to the one of today. Deliveries on ` +
        'their way are signed with it.',
    );
  }
  await replace(path, file);
}

/**
 * Puts a new secret in place, and keeps the one before it for `overlapMs`.
 *
 * @throws {Error} that says where the new secret is, if its file cannot be written
 */
export async function writeSecret(
  path: string,
  secret: string,
  first: string,
  overlapMs: number,
): Promise<void> {
  const { current: before } = await read(path, first);
  const until = new Date(Date.now() + overlapMs).toISOString();
  const file: SecretFile = { current: secret, previous: { secret: before, until } };
  try {
    await replace(path, file);
  } catch (cause) {
    const kept = join(tmpdir(), `webhook-secret-${randomUUID()}.json`);
    await writeFile(kept, JSON.stringify(file), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
      throw new Error(`The new secret is lost, run this again for another one: ${cause}; ${error}`, {
        cause,
      });
    });
    throw new Error(
      `${path} could not be written: ${cause}. The new secret is in ${kept}. Move that file to ${path}: until then, ` +
        'receivers reject what is signed with it.',
      { cause },
    );
  }
}

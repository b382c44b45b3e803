// Checks the claims about credentials: the right one, the other one and a wrong key.

import { CommandError } from '../errors.ts';
import { parseListResponse } from '../inspect/response.ts';
import { explainRejections, isRejectedWith, type Reply } from '../reply.ts';
import { schemeOf } from './cleanup.ts';
import type { Run } from './run.ts';

const paths = ['/participants', '/exams', '/exam-results', '/webhooks'];

/**
 * A wrong key or address would contradict everything, and says nothing about the service.
 *
 * @throws {CommandError} if no list is returned
 */
export async function checkAccess(run: Run): Promise<void> {
  const replies: Reply[] = [];
  for (const path of paths) replies.push(await run.get(path));
  const reason = explainRejections(replies);
  if (reason !== null) throw new CommandError(reason);
}

export async function checkCredentials(run: Run): Promise<void> {
  for (const path of paths) {
    const isBearer = schemeOf(path) === 'bearer';
    const reply = await run.get(path);
    const other = await run.get(path, {}, isBearer ? 'clientKey' : 'bearer');
    // A key that works with neither credential may lack the permission.
    const holds = reply.ok || (other.ok ? false : null);
    run.decide(isBearer ? 'auth.bearer' : 'auth.client-key', holds, `GET ${path}: ${reply.words}`);
    const form = reply.ok ? parseListResponse(reply.body, reply.headers) : null;
    if (form !== null) run.notes.push(`GET ${path} returns a list in the form ${form.family}.`);
    run.notes.push(`GET ${path} with the other credential returns ${other.words}.`);
    const wrong = await run.getWithWrongKey(path);
    run.decide('auth.refused', isRejectedWith(wrong, 401, 403), `GET ${path}: ${wrong.words}`);
    run.notes.push(`GET ${path} with a wrong key returns ${wrong.words}.`);
  }
}

// The check before all others: that the service can be reached and accepts the key.

import { CommandError } from '../../errors.ts';
import { explainRefusals } from '../../refusals.ts';
import type { Reply } from '../../reply.ts';
import type { Run } from '../run.ts';

/**
 * A wrong key or address would contradict everything, and says nothing of the service.
 *
 * @throws {CommandError} when no list is answered
 */
export async function checkAccess(run: Run): Promise<void> {
  const replies: Reply[] = [];
  for (const path of ['/participants', '/exams', '/exam-results', '/webhooks']) {
    replies.push(await run.get(path));
  }
  const reason = explainRefusals(replies);
  if (reason !== null) throw new CommandError(reason);
}

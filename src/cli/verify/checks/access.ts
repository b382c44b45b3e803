// The check before all others: that the service can be reached and accepts the key.

import { CommandError } from '../../errors.ts';
import { explainRefusals } from '../../refusals.ts';
import type { Run } from '../run.ts';

/**
 * A wrong key or address would contradict everything, and says nothing of the service.
 *
 * @throws {CommandError} when no list is answered
 */
export async function checkAccess(run: Run): Promise<void> {
  const labels: string[] = [];
  for (const path of ['/participants', '/exams', '/exam-results', '/webhooks']) {
    const { status, ok, body } = await run.get(path);
    labels.push(
      ok && body === undefined ? 'not JSON' : status >= 300 && status < 400 ? 'redirect' : String(status),
    );
  }
  const reason = explainRefusals(labels);
  if (reason !== null) throw new CommandError(reason);
}

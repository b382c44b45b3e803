/**
 * Keeps deliveries whose payload is not as documented, such as a result whose participant was deleted, as files in
 * `INVALID_DIR`. Look at them: the service never sends them again. Where the disk does not last, as in most containers, write
 * to a table of your database.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InvalidWebhook, WebhookContext } from 'exam-service-sdk/webhooks';

const { INVALID_DIR = 'out/invalid' } = process.env;

export async function keepInvalid({ rawBody }: InvalidWebhook, { eventKey }: WebhookContext): Promise<void> {
  const path = join(INVALID_DIR, `${eventKey}.json`);
  await mkdir(INVALID_DIR, { recursive: true });
  // On the disk before this returns: after that, the service does not send it again.
  await writeFile(path, rawBody, { flush: true });
  console.warn(`Not as documented, kept as ${path}`);
}

/**
 * Fetches what a receiver missed during an outage. Once the endpoint is active again:
 *
 *   npx node examples/receivers/recover.ts 3 2025-03-01T08:00:00+07:00 results.ndjson
 *
 * The arguments are the id of the endpoint, a time a little before the outage, and a file of results, one to a line. It reads
 * the records of deliveries since then from the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name, and then the
 * list of results, for what was never delivered because the endpoint was inactive. A result that is in the file stays as it is,
 * so a second run changes nothing. Exits with 1 if an event could not be handled: run it again.
 */
import { existsSync } from 'node:fs';
import { appendFile, readFile, truncate } from 'node:fs/promises';
import { ExamClient, isExamServiceError } from 'exam-service-sdk';
import { createMemoryStore, createWebhookHandler, recoverEvents } from 'exam-service-sdk/webhooks';

const [endpointId, since = '', path = 'results.ndjson'] = process.argv.slice(2);
const ONE_DAY = 86_400;

const lines = await readLines();
// As strings, since one list may write an id as a number and another as a string.
const known = new Set(lines.map((line) => String(JSON.parse(line).id)));

/** The lines of the file. An earlier run may have been cut off in the last one: what is left of it is removed. */
async function readLines(): Promise<string[]> {
  const text = existsSync(path) ? await readFile(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = text.slice(whole.length);
  if (isJson(last)) await appendFile(path, '\n');
  else if (last !== '') {
    await truncate(path, Buffer.byteLength(whole));
    console.warn(`The last line of ${path} was cut and is removed; its result is fetched again.`);
    return whole.split('\n').filter(Boolean);
  }
  return text.split('\n').filter(Boolean);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** As a database would with `ON CONFLICT DO NOTHING`. */
async function save(result: { readonly id: unknown; readonly score: unknown }): Promise<boolean> {
  if (known.has(String(result.id))) return false;
  known.add(String(result.id));
  await appendFile(path, `${JSON.stringify(result)}\n`);
  return true;
}

// The receiver of your program, in whose store the events stand that it has handled. It needs no secret for these.
const receiver = createWebhookHandler({
  secret: process.env['EXAM_SERVICE_WEBHOOK_SECRET'] ?? 'not needed here',
  deduplication: { store: createMemoryStore(), ttlSeconds: ONE_DAY },
  on: {
    'exam_result.completed': async ({ data }) => {
      await save({ id: data.exam_result_id, score: data.score });
    },
  },
});

const failures: unknown[] = [];
try {
  const client = new ExamClient();
  let count = 0;
  const events = recoverEvents(client.webhooks, Number(endpointId), {
    since,
    onInvalid: ({ delivery }) => console.warn(`Delivery ${delivery.id} is not as documented: look at it.`),
  });
  for await (const recovered of events) {
    // The others are handled even if one fails, or is still claimed by a process that crashed.
    await receiver.dispatch(recovered).catch((error: unknown) => failures.push(error));
    count += 1;
  }
  console.log(`${count} events were delivered, or tried; ${known.size - lines.length} results were missing.`);

  // No field of these is documented; `exam-service-sdk inspect` finds out what your service calls them.
  let swept = 0;
  const idOf = (result: Readonly<Record<string, unknown>>) => result['exam_result_id'] ?? result['id'];
  for await (const result of client.examResults.list({ limit: 100 }, { distinct: idOf })) {
    if (await save({ id: idOf(result), score: result['score'] ?? null })) swept += 1;
  }
  console.log(`${swept} more were never delivered.`);
} catch (error) {
  if (!isExamServiceError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
if (failures.length > 0) {
  console.error(`${failures.length} events were not handled: run this again later.`, ...failures);
  process.exitCode = 1;
}

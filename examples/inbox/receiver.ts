/** Puts deliveries into the inbox. An event and its job are one transaction, and acknowledged after it. */
import { createWebhookHandler, type WebhookContext } from 'exam-service-sdk/webhooks';
import { type Database, jobIn, QUEUE, reasonOf } from './database.ts';
import { scored } from './events.ts';

/** Time limit for storing an event, in milliseconds. */
export const timeout = 10_000;

/** JSON that PostgreSQL can hold: not U+0000, nor half of a surrogate pair. An escaped backslash stays. */
const toJson = (value: object) =>
  JSON.stringify(value).replace(/\\(?:u0000|ud...|.)/g, (escaped) =>
    escaped.length > 2 ? '\uFFFD' : escaped,
  );

export function createInbox(database: Database, secret: string) {
  /** Stores an event that is new, with its job. */
  const keep = (event: object, { eventKey }: WebhookContext) =>
    database.transaction(async (tx) => {
      const { rows } = await tx.query(
        'INSERT INTO inbox (event_key, event) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING event_key',
        [eventKey, toJson(event)],
      );
      if (rows.length > 0) await database.boss.send(QUEUE, { eventKey }, jobIn(tx));
    });
  return createWebhookHandler({
    secret,
    timeout,
    schemas: { 'exam_result.scored': scored },
    on: {
      'exam_participant.registered': (event, context) => keep(event, context),
      'exam_participant.unregistered': (event, context) => keep(event, context),
      'exam_result.completed': (event, context) => keep(event, context),
      'exam_result.scored': (event, context) => keep(event, context),
    },
    onUnknown: (event, context) => keep(event, context),
    // Kept for a person to look at, before this returns: after that, the service does not send it again.
    onInvalid: async ({ rawBody, body, issues }, { eventKey }) => {
      await database.query(
        `INSERT INTO inbox (event_key, event, raw_body, problem) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [eventKey, toJson(body), rawBody, JSON.stringify(issues)],
      );
    },
    onError: (error) => console.error('Not stored, so it will be delivered again:', reasonOf(error)),
  });
}

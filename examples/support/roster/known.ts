// Reads the participants that the service has, with the fields that a roster is compared by.

import type { Participants } from 'exam-service-sdk';
import * as z from 'zod/mini';

/**
 * What a roster is compared with. The service documents only the id of a participant, so this schema is given to the
 * client: a list without emails or names is an error before anything is changed.
 */
export const knownParticipant = z.looseObject({
  id: z.int(),
  email: z.string(),
  name: z.nullable(z.string()),
});
export type KnownParticipant = z.infer<typeof knownParticipant>;

/** After so many readings of a list that does not keep still, it is given up. */
const MOST_PASSES = 5;

/**
 * Everybody whom the service knows. The list is read until two passes agree on who is there: whoever moves to another page
 * just then may be missing from one, and would count as new.
 */
export async function readKnown(participants: Participants<KnownParticipant>): Promise<KnownParticipant[]> {
  let before = new Set<number>();
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const known: KnownParticipant[] = [];
    const list = participants.list({ limit: 100 }, { distinct: true, concurrency: 4 });
    for await (const participant of list) known.push(participant);
    if (pass > 1 && known.length === before.size && known.every(({ id }) => before.has(id))) return known;
    before = new Set(known.map(({ id }) => id));
  }
  throw new Error('The list of participants changes while it is read. Run this when nobody changes it.');
}

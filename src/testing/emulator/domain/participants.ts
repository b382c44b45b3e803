// The service's rules for importing and updating participants.

import { emailKey, idOf } from '../state/keys.ts';
import type { ParticipantRecord } from '../state/records.ts';
import { rejections } from './rejection.ts';
import type { World } from './world.ts';

/** One participant of an import. */
export interface ImportedParticipant {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** @throws {Rejection} when there is none: 404 */
export function requireParticipant({ store }: World, key: number | string): ParticipantRecord {
  const participant = store.participants.get(idOf(key));
  if (participant === undefined) throw rejections.noRecord('Participant', key);
  return participant;
}

/** What an import did: the records in the order of their rows, and how many of them are new. */
export interface ImportOutcome {
  readonly records: readonly ParticipantRecord[];
  readonly created: number;
}

/**
 * Creates participants with unknown emails and updates those with known ones, all or none.
 *
 * @throws {Rejection} when there would be more participants than the limit: 400
 */
export function importParticipants(
  { settings, store }: World,
  items: readonly ImportedParticipant[],
): ImportOutcome {
  const unknown = new Set(
    items.flatMap(({ email }) => (store.participantByEmail(email) === undefined ? emailKey(email) : [])),
  );
  if (store.participants.rows.length + unknown.size > settings.maxParticipants) {
    throw rejections.tooManyParticipants(settings.maxParticipants);
  }
  const now = settings.clock.now();
  const records = items.map((item) => {
    const known = store.participantByEmail(item.email);
    if (known !== undefined) {
      // As Laravel's `updateOrCreate`: the email by which the participant was found stays as it was written first.
      const { email } = known;
      return store.participants.replace({ ...known, ...item, email, updated_at: now });
    }
    const { active = true, verified = true } = settings.importedParticipants;
    return store.participants.add({
      ...item,
      is_active: active,
      email_verified_at: verified ? now : null,
      created_at: now,
      updated_at: now,
    });
  });
  return { records, created: unknown.size };
}

/**
 * Changes only the supplied fields.
 *
 * @throws {Rejection} when there is none: 404
 */
export function updateParticipant(
  world: World,
  id: number | string,
  changes: { readonly name?: string | undefined; readonly password?: string | undefined },
): ParticipantRecord {
  const participant = requireParticipant(world, id);
  return world.store.participants.replace({
    ...participant,
    name: changes.name ?? participant.name,
    password: changes.password ?? participant.password,
    updated_at: world.settings.clock.now(),
  });
}

// Finds out who has which email, by reading the whole list of participants.

import { ConfigurationError } from '../core/errors/base.ts';
import { RequestValidationError } from '../core/errors/request-error.ts';
import { type PagePromise, placeOf } from '../core/pages/page.ts';
import { collectUntilStable } from '../core/pages/until-stable.ts';
import type { Participant } from '../core/records.ts';
import { AmbiguousEmailsError } from '../jobs/errors.ts';
import { emailKey } from '../jobs/import/emails.ts';
import { MOST_PASSES } from '../util/passes.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';

/** The result of `findByEmail`. */
export interface FoundParticipants<Item = Participant> {
  /** Participants by email, as it was given. */
  readonly found: Map<string, Item>;
  /** The emails that nobody has, as they were given. */
  readonly missing: string[];
}

/**
 * The emails that a caller gives, each once.
 *
 * @throws {RequestValidationError} for what is not a list of strings
 */
export function readEmails(emails: Iterable<string>): string[] {
  const given =
    typeof emails === 'string' ? undefined : tryOrUndefined(() => [...new Set<unknown>([...emails])]);
  if (given?.every((email) => typeof email === 'string')) return given;
  const message = 'takes a list of emails, each a string';
  throw new RequestValidationError('participants.findByEmail', [{ path: '', message }]);
}

/**
 * Finds participants by their emails, in a list that is read unchecked. An exact spelling wins.
 *
 * @throws {AmbiguousEmailsError} where several have an email, and none as it was given
 */
export async function findByEmail<Item>(
  list: PagePromise<Item>,
  given: readonly string[],
): Promise<FoundParticipants<Item>> {
  /** The people who have an email that was asked for: by the email as it is compared, and then by id. */
  const people = new Map(given.map((email) => [emailKey(email), new Map<unknown, Person<Item>>()]));
  const withEmail = (email: string): readonly Person<Item>[] => {
    const alike = [...(people.get(emailKey(email))?.values() ?? [])];
    const exact = alike.filter((person) => person.email === email);
    return exact.length > 0 ? exact : alike;
  };
  await readPeople(
    list,
    'participants.findByEmail',
    (email, id, check) => {
      const alike = people.get(emailKey(email));
      return alike !== undefined && alike.size < alike.set(id ?? email, { email, check }).size;
    },
    (pass) => {
      const found = given.map(withEmail);
      // A different spelling may belong to another person.
      const isExact = found.every(([person], index) => person?.email === given[index]);
      return isExact || (pass === MOST_PASSES && found.every(({ length }) => length > 0));
    },
  );
  const ambiguous = given.filter((email) => withEmail(email).length > 1);
  if (ambiguous.length > 0) throw new AmbiguousEmailsError(ambiguous);
  const found = new Map<string, Item>();
  for (const email of given) {
    for (const person of withEmail(email)) found.set(email, await person.check());
  }
  return { found, missing: given.filter((email) => !found.has(email)) };
}

/** Somebody who has an email that was asked for. */
interface Person<Item> {
  /** As the service sent it. */
  readonly email: string;
  /** Puts the record through the schemas: those of people who were not asked for do not matter. */
  readonly check: () => Promise<Item>;
}

/**
 * The emails of all participants, as they are compared.
 *
 * @throws {ConfigurationError} where the service lists no emails
 */
export async function readKnownEmails(list: PagePromise<unknown>): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const add = (email: string) => known.size < known.add(emailKey(email)).size;
  await readPeople(list, 'participants.importAll', add, () => false);
  return known;
}

/**
 * Reads all participants, until a pass adds none who was there before. `check` puts somebody through the schemas.
 *
 * @throws {ConfigurationError} where none has a text `email`
 */
async function readPeople<Item>(
  list: PagePromise<Item>,
  caller: string,
  add: (email: string, id: unknown, check: () => Promise<Item>) => boolean,
  isComplete: (pass: number) => boolean,
): Promise<void> {
  let isEmpty = true;
  let hasEmails = false;
  await collectUntilStable<Item>(placeOf(await list), {
    caller,
    maxItems: Number.POSITIVE_INFINITY,
    add(row, id, page) {
      const { email }: { readonly email?: unknown } = Object(row.sent);
      isEmpty = false;
      hasEmails ||= typeof email === 'string';
      return typeof email === 'string' && add(email, id, () => page.check(row));
    },
    isComplete(pass) {
      if (hasEmails || isEmpty) return isComplete(pass);
      throw new ConfigurationError(
        `${caller}: the service does not list emails (no participant has a text \`email\`): keep the ids of participants yourself.`,
      );
    },
  });
}

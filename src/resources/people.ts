// Finds out who has which email, by reading the whole list of participants.

import { ConfigurationError } from '../core/errors/base.ts';
import { RequestValidationError } from '../core/errors/request-error.ts';
import { type PagePromise, readUntilStable } from '../core/pages/page.ts';
import type { Participant } from '../core/records.ts';
import { AmbiguousEmailsError } from '../jobs/errors.ts';
import { emailKey } from '../jobs/import/emails.ts';
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
 * Finds participants by their emails. An exact spelling wins.
 *
 * @throws {AmbiguousEmailsError} where several have an email, and none as it was given
 */
export async function findByEmail<Item>(
  list: PagePromise<Item>,
  given: readonly string[],
): Promise<FoundParticipants<Item>> {
  /** The people who have an email that was asked for: by the email as it is compared, and then by id. */
  const people = new Map(given.map((email) => [emailKey(email), new Map<unknown, Item>()]));
  const withEmail = (email: string): readonly Item[] => {
    const alike = [...(people.get(emailKey(email))?.values() ?? [])];
    const exact = alike.filter((person) => emailOf(person) === email);
    return exact.length > 0 ? exact : alike;
  };
  await readPeople(list, 'participants.findByEmail', {
    add(email, person, id) {
      const alike = people.get(emailKey(email));
      return alike !== undefined && alike.size < alike.set(id, person).size;
    },
    // A different spelling may belong to another person.
    isComplete: () => given.every((email) => withEmail(email).some((person) => emailOf(person) === email)),
  });
  const ambiguous = given.filter((email) => withEmail(email).length > 1);
  if (ambiguous.length > 0) throw new AmbiguousEmailsError(ambiguous);
  const found = new Map<string, Item>();
  for (const email of given) {
    for (const person of withEmail(email)) found.set(email, person);
  }
  return { found, missing: given.filter((email) => !found.has(email)) };
}

/**
 * The emails of all participants, as they are compared.
 *
 * @throws {ConfigurationError} where the service lists no emails
 */
export async function readKnownEmails(list: PagePromise<unknown>): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  await readPeople(list, 'participants.importAll', {
    add: (email) => known.size < known.add(emailKey(email)).size,
    isComplete: () => false,
  });
  return known;
}

/**
 * Reads all participants, until a pass adds none.
 *
 * @throws {ConfigurationError} where none has a text `email`
 */
async function readPeople<Item>(
  list: PagePromise<Item>,
  caller: string,
  { add, isComplete }: { add(email: string, person: Item, id: unknown): boolean; isComplete(): boolean },
): Promise<void> {
  let withoutEmail = 0;
  let hasEmails = false;
  await readUntilStable<Item>(list, {
    caller,
    maxItems: Number.POSITIVE_INFINITY,
    keyOf: (person) => person,
    add(person, id) {
      const email = emailOf(person);
      if (email === undefined) withoutEmail += 1;
      else hasEmails = true;
      return email !== undefined && add(email, person, id);
    },
    isComplete() {
      if (hasEmails || withoutEmail === 0) return isComplete();
      throw new ConfigurationError(
        `${caller}: the service does not list emails: no participant has a text \`email\`. Keep the ids of participants by ` +
          'another field of yours.',
      );
    },
  });
}

function emailOf(person: unknown): string | undefined {
  const { email }: { readonly email?: unknown } = Object(person);
  return typeof email === 'string' ? email : undefined;
}

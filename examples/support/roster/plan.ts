// Compares a roster with the participants of the service, and plans what to change.

import type { ParticipantImport } from 'exam-service-sdk';
import type { Row } from '../participants-file.ts';
import type { KnownParticipant } from './known.ts';

/** A participant whose name in the roster is another one. */
export interface Rename {
  readonly id: number;
  readonly email: string;
  readonly from: string | null;
  readonly to: string;
}

/** The difference between a roster and the service. */
export interface RosterPlan {
  readonly added: readonly ParticipantImport[];
  readonly renamed: readonly Rename[];
  /** Known to the service and not in the roster. They stay: nothing is ever deleted. */
  readonly missing: readonly KnownParticipant[];
  readonly unchanged: number;
  /** Why nothing may be sent, and what to do about it; empty for a plan that can be applied. */
  readonly problems: readonly string[];
}

/** A larger part of the list than this is not missing by design: the file is cut, or meant for another service. */
const MOST_MISSING = 1 / 5;

/** What Laravel's `TrimStrings` removes from the ends of names and emails; the service would store them without it, too. */
const trim = (text: string) => text.replace(/^[\s\u0085\u200B\u200E]+|[\s\u0085\u200B\u200E]+$/g, '');

/**
 * Whether the service tells `Ada@` from `ada@` is not documented, and importing a known email overwrites its password:
 * emails that differ only in case, Unicode form or surrounding spaces count as one.
 */
const keyOf = (email: string) => trim(email).normalize('NFC').toLowerCase();

/*
 * What the package refuses to send, for the plan to name by its line: met while the roster is applied, it would stop in the
 * middle, with the number of a row that stands in no file.
 */
const isInvisible = (text: string) => /^[\s\p{Cf}]*$/u.test(text);
const isBroken = (text: string) => /[\p{Surrogate}\0]/u.test(text);
const hasInvisible = (text: string) => /^\s|\p{Cf}|\s$/u.test(text);

const BROKEN = 'holds U+0000 or half a character, which cannot be sent. Write the row anew.';

/** Compares a roster with the participants of the service. Sends nothing. */
export function planRoster(
  rows: readonly Row[],
  known: readonly KnownParticipant[],
  { allowMissing = false } = {},
): RosterPlan {
  const problems: string[] = [];
  const roster = readRoster(rows, problems);
  const knownByKey = new Map<string, KnownParticipant[]>();
  for (const participant of known) {
    const key = keyOf(participant.email);
    knownByKey.set(key, [...(knownByKey.get(key) ?? []), participant]);
  }

  const missing = known.filter(({ email }) => !roster.has(keyOf(email)));
  if (missing.length > known.length * MOST_MISSING && !allowMissing) {
    // First, as it may explain the others.
    problems.unshift(
      `${missing.length} of the ${known.length} participants of the service are not in the file, more than a fifth. ` +
        'Is it the whole file, and the right service? If it is, run this again with --allow-missing.',
    );
  }

  const added: ParticipantImport[] = [];
  const renamed: Rename[] = [];
  let unchanged = 0;
  for (const [key, { line, participant: wanted }] of roster) {
    const [found, ...others] = knownByKey.get(key) ?? [];
    if (others.length > 0) {
      const ids = [found, ...others].map((one) => one?.id).join(' and ');
      problems.push(
        `Line ${line}: ${wanted.email} may be participant ${ids}, whose emails differ only in case.`,
      );
    } else if (found === undefined) {
      const problem = problemOfPassword(wanted);
      if (problem !== undefined) problems.push(`Line ${line}: ${problem}`);
      added.push(wanted);
    } else if (found.name !== wanted.name) {
      renamed.push({ id: found.id, email: found.email, from: found.name, to: wanted.name });
    } else {
      unchanged += 1;
    }
  }
  return { added, renamed, missing, unchanged, problems };
}

/** The rows by the keys of their emails, each once. */
function readRoster(rows: readonly Row[], problems: string[]): Map<string, Row> {
  const roster = new Map<string, Row>();
  for (const { line, participant } of rows) {
    // A short line lacks fields, whatever its type says.
    const { email = '', name = '', password = '' }: Partial<ParticipantImport> = participant;
    const row: Row = { line, participant: { email: trim(email), name: trim(name), password } };
    const key = keyOf(email);
    const earlier = roster.get(key);
    if (isInvisible(row.participant.email) || isInvisible(row.participant.name)) {
      problems.push(`Line ${line}: needs an email and a name, in the columns \`email\` and \`name\`.`);
    } else if (isBroken(email) || isBroken(name)) {
      problems.push(`Line ${line}: ${BROKEN}`);
    } else if (hasInvisible(row.participant.email)) {
      problems.push(`Line ${line}: the email holds an invisible character. Type it again.`);
    } else if (earlier && !isSame(earlier.participant, row.participant)) {
      problems.push(`Line ${line}: ${row.participant.email} stands on line ${earlier.line} with other data.`);
    }
    if (key !== '' && !earlier) roster.set(key, row);
  }
  return roster;
}

/** Why nobody can be imported with this password, which only who is new needs. */
function problemOfPassword({ email, password }: ParticipantImport): string | undefined {
  if (isInvisible(password)) return `${email} is new and needs a password.`;
  if (isBroken(password)) return BROKEN;
  if (!hasInvisible(password)) return undefined;
  return (
    `the password of ${email} has spaces at its ends or invisible characters, which the service may remove: the ` +
    'participant could not sign in. Remove them from the file.'
  );
}

function isSame(one: ParticipantImport, other: ParticipantImport): boolean {
  return one.name === other.name && one.password === other.password;
}

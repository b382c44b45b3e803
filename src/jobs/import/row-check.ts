// Checks one row: its columns and its values.
//
// What is wrong with all rows stops the import, since a program must change; what is wrong with one is that row's fault. A password
// with spaces at its ends breaks a rule: a framework that trims imports but not logins would lock the participant out.

import { readArgument, unreadable } from '../../core/arguments.ts';
import { describeColumns } from '../../util/columns.ts';
import { isObject } from '../../util/json.ts';
import {
  describeIssues,
  type SchemaIssue,
  type StandardSchema,
  toIssues,
} from '../../util/standard-schema.ts';
import type { Rejection } from '../import-summary.ts';
import { invalidRow } from '../job-error.ts';
import { mapRow } from '../source.ts';
import { emailKey } from './emails.ts';
import type { CheckedOptions, ParticipantImport } from './import-all-options.ts';

/** Why a row is rejected. */
export type RowRejection = Omit<Rejection, 'index'>;

const METHOD = 'participants.importAll';
const NOT_SENT = 'The row was not sent.';
const columns = ['email', 'name', 'password'];
const FORM = '{ email, name, password }';

/** Checks the rows of one import. */
export class RowCheck {
  readonly #settings: CheckedOptions;
  readonly #schema: StandardSchema<ParticipantImport>;
  /** Columns that a row had so far. */
  readonly #seen = new Set<string>();

  constructor(settings: CheckedOptions, schema: StandardSchema<ParticipantImport>) {
    this.#settings = settings;
    this.#schema = schema;
  }

  /**
   * The row as it is sent, or why it is rejected; `null` when `map` leaves it out.
   *
   * @throws {JobError} for wrong columns, for a row that breaks a rule unless such rows are to be rejected, and when `map` fails
   */
  check(
    given: unknown,
    index: number,
    existingEmails?: ReadonlySet<string>,
  ): { readonly row: ParticipantImport } | RowRejection | 'known' | null {
    const { map } = this.#settings;
    const mapped = map === undefined ? given : mapRow(map, given, index, FORM);
    if (map !== undefined && mapped === null) return null;
    const result = readArgument(this.#schema, mapped);
    if (result.issues?.includes(unreadable)) return this.reject(index, [unreadable]);
    const row = isObject(mapped) ? mapped : {};
    const isKnown = typeof row['email'] === 'string' && existingEmails?.has(emailKey(row['email'])) === true;
    const isBlank = this.#isBlank(row);
    this.#assertColumns(row, given, index, isKnown || isBlank, result.issues);
    if (isKnown || isBlank) return isKnown ? 'known' : null;
    const issues = result.issues ?? invisibleIn(result.value);
    return issues.length > 0 || result.issues ? this.reject(index, issues) : { row: result.value };
  }

  /**
   * Why a row that breaks a rule is rejected.
   *
   * @throws {JobError} where such rows stop the import
   */
  reject(index: number, issues: readonly SchemaIssue[], duplicateOf: number | null = null): RowRejection {
    if (this.#settings.invalidRows === 'stop') throw invalidRow(METHOD, index, issues, NOT_SENT, index + 1);
    // The other row is a field: a list of rejections that people read may number rows otherwise.
    const message = duplicateOf === null ? describeIssues(toIssues(issues)) : 'another row has this email';
    return { message, outcome: 'not_sent', duplicateOf };
  }

  /** What is wrong with the columns: of a row without `map` the row's, otherwise what `map` returned. */
  #describe(names: readonly string[], filled: readonly string[], given: unknown): string {
    const isMapped = this.#settings.map !== undefined;
    if (names.some((name) => !columns.includes(name))) return describeColumns(names, columns, isMapped);
    if (!isMapped) return describeColumns(filled, columns);
    // A `map` that finds no column gives `undefined` for it: what matters then is what came.
    const missing = columns.filter((name) => !filled.includes(name)).join(', ');
    return `\`map\` returned no ${missing}; the row ${describeColumns(Object.keys(Object(given)), columns)}`;
  }

  /** Whether all cells are blank, as in a parser's last line, or missing where an earlier row had them. */
  #isBlank(row: Readonly<Record<string, unknown>>): boolean {
    const isEmpty = (cell: unknown) => typeof cell === 'string' && cell.trim() === '';
    return columns.every((name) => (row[name] === undefined ? this.#seen.has(name) : isEmpty(row[name])));
  }

  /**
   * @param mayLack whether columns may be missing
   * @throws {JobError} for a column that is unknown, or that no row has had so far
   */
  #assertColumns(
    row: Readonly<Record<string, unknown>>,
    given: unknown,
    index: number,
    mayLack: boolean,
    issues: readonly SchemaIssue[] = [],
  ): void {
    const names = Object.keys(row);
    const filled = names.filter((name) => row[name] !== undefined);
    for (const name of filled) this.#seen.add(name);
    const isKnown = names.every((name) => columns.includes(name));
    if (isKnown && (mayLack || columns.every((name) => this.#seen.has(name)))) return;
    // The schema knows what is no row at all, and nothing of `map`.
    const whole =
      isKnown || this.#settings.map === undefined ? issues.find(({ path = [] }) => path.length === 0) : null;
    const message = whole?.message ?? this.#describe(names, filled, given);
    throw invalidRow(METHOD, index, [{ message }], NOT_SENT);
  }
}

/** Characters that are invisible in a file, and would keep the person from signing in. */
function invisibleIn(row: ParticipantImport): SchemaIssue[] {
  return (['email', 'password'] as const).flatMap((name) => {
    const [invisible] = /\p{Cf}/u.exec(row[name]) ?? [];
    const code = invisible?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    if (code !== undefined) return [{ path: [name], message: `holds the invisible character U+${code}` }];
    return /^\s|\s$/u.test(row[name]) ? [{ path: [name], message: 'has spaces at its ends' }] : [];
  });
}

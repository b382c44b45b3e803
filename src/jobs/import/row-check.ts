// Checks one row: its columns and its values.
//
// What is wrong with all rows stops the import, since a program must change; what is wrong with one is that row's fault. A password
// with spaces at its ends breaks a rule: a framework that trims imports but not logins would lock the participant out.

import { readArgument, unreadable } from '../../core/arguments.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import { describeColumns } from '../../util/columns.ts';
import { isObject } from '../../util/json.ts';
import {
  describeIssues,
  type SchemaIssue,
  type StandardSchema,
  toIssues,
} from '../../util/standard-schema.ts';
import { mapRow } from '../source.ts';
import type { CheckedOptions, ParticipantImport } from './import-all-options.ts';
import type { Rejection } from './summary.ts';

/** Why a row is rejected. */
export type RowRejection = Omit<Rejection, 'index'>;

const columns = ['email', 'name', 'password'];

/** Checks the rows of one import. */
export class RowCheck {
  readonly #map: CheckedOptions['map'];
  readonly #invalidRows: CheckedOptions['invalidRows'];
  readonly #schema: StandardSchema<ParticipantImport>;
  /** Columns that a row had so far. */
  readonly #seen = new Set<string>();

  constructor({ map, invalidRows }: CheckedOptions, schema: StandardSchema<ParticipantImport>) {
    this.#map = map;
    this.#invalidRows = invalidRows;
    this.#schema = schema;
  }

  /**
   * The row as it is sent, or why it is rejected; `null` when `map` leaves it out.
   *
   * @throws {RequestValidationError} for wrong columns, and for a row that breaks a rule unless such rows are to be rejected
   * @throws {JobError} when `map` fails
   */
  check(given: unknown, index: number): { readonly row: ParticipantImport } | RowRejection | null {
    const map = this.#map;
    const mapped = map === undefined ? given : mapRow(map, given, index, '{ email, name, password }');
    if (map !== undefined && mapped === null) return null;
    const result = readArgument(this.#schema, mapped);
    if (result.issues?.includes(unreadable)) return this.reject(index, [unreadable]);
    this.#assertColumns(mapped, given, index, result.issues);
    const issues = result.issues ?? invisibleIn(result.value);
    return issues.length > 0 || result.issues ? this.reject(index, issues) : { row: result.value };
  }

  /**
   * Why a row that breaks a rule is rejected.
   *
   * @throws {RequestValidationError} where such rows stop the import
   */
  reject(index: number, issues: readonly SchemaIssue[], duplicateOf: number | null = null): RowRejection {
    if (this.#invalidRows === 'stop') throw invalidRow(index, issues);
    // The other row is a field: a list of rejections that people read may number rows otherwise.
    const message = duplicateOf === null ? describeIssues(toIssues(issues)) : 'another row has this email';
    return { message, outcome: 'not_sent', duplicateOf };
  }

  /** @throws {RequestValidationError} for a column that is unknown, or that no row has had so far */
  #assertColumns(mapped: unknown, given: unknown, index: number, issues: readonly SchemaIssue[] = []): void {
    const row = isObject(mapped) ? mapped : {};
    const names = Object.keys(row);
    const filled = names.filter((name) => row[name] !== undefined);
    for (const name of filled) this.#seen.add(name);
    const isKnown = names.every((name) => columns.includes(name));
    if (isKnown && columns.every((name) => this.#seen.has(name))) return;
    const whole = issues.find(({ path = [] }) => path.length === 0);
    // A `map` that finds no column gives `undefined` for it: what matters then is what came.
    const found = this.#map === undefined ? filled : Object.keys(Object(given));
    const came = isKnown ? found : names;
    throw invalidRow(index, [{ message: whole?.message ?? describeColumns(came, columns) }]);
  }
}

/** Rows before it may have been sent. */
function invalidRow(index: number, issues: readonly SchemaIssue[]): RequestValidationError {
  return new RequestValidationError(
    'participants.importAll',
    toIssues(issues, [index]),
    'The row was not sent.',
  );
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

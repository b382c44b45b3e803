import { ConfigurationError } from '../core/errors/configuration-error.ts';
import type { RequestOptions } from '../core/options.ts';
import { isCount } from '../util/numbers.ts';
import type { ImportProgress } from './import-stopped-error.ts';

/** Options of a bulk import. Those of a single call hold for each of its requests. */
export interface ImportAllOptions extends RequestOptions {
  /**
   * Rows in one request. The interface document shows no ceiling for it (Limits).
   * @default 100
   */
  readonly batchSize?: number | undefined;
  /**
   * Requests under way at once. With more than one, rows of the same email may arrive in another order than the
   * source's.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * What to do with a row that breaks a documented rule, which is not sent: `stop` the import, after the rows
   * before it; or `skip` the row.
   * @default 'stop'
   */
  readonly onInvalid?: 'stop' | 'skip' | undefined;
  /**
   * What to do with a batch that was not imported: `stop`; `continue` without its rows; or `bisect`, which halves
   * a batch that the service refused (400, 413, 422) until the rows at fault stand alone, and goes on without
   * them. A key that does not work stops the import in every case.
   * @default 'stop'
   */
  readonly onBatchError?: 'stop' | 'continue' | 'bisect' | undefined;
  /**
   * Rows at the beginning of the source to pass over, such as those that an earlier import did.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /** Told after every batch, and waited for. What it throws stops the import. */
  readonly onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}

/** The options with every default filled in. */
export type ImportPlan = ImportAllOptions &
  Required<{ [Name in keyof typeof defaults]: NonNullable<ImportAllOptions[Name & keyof ImportAllOptions]> }>;

const defaults = {
  batchSize: 100,
  concurrency: 1,
  onInvalid: 'stop',
  onBatchError: 'stop',
  resumeFrom: 0,
} as const;

/** @throws {ConfigurationError} for an option that cannot work. */
export function planImport(options: ImportAllOptions): ImportPlan {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const plan: ImportPlan = { ...defaults, ...given };
  const problem = [
    !isCount(plan.batchSize) && '`batchSize` must be a positive integer',
    !isCount(plan.concurrency) && '`concurrency` must be a positive integer',
    !isCount(plan.resumeFrom, 0) && '`resumeFrom` must be an integer of 0 or more',
    !['stop', 'skip'].includes(plan.onInvalid) && "`onInvalid` must be 'stop' or 'skip'",
    !['stop', 'continue', 'bisect'].includes(plan.onBatchError) &&
      "`onBatchError` must be 'stop', 'continue' or 'bisect'",
    plan.onProgress !== undefined &&
      typeof plan.onProgress !== 'function' &&
      '`onProgress` must be a function',
  ].find((found) => found !== false);
  if (problem !== undefined) throw new ConfigurationError(`${problem}.`);
  return plan;
}

import type { SetNonNullable, SetRequired } from 'type-fest';
import { ConfigurationError } from '../../core/errors/configuration-error.ts';
import type { RequestOptions } from '../../core/options.ts';
import { readOptions } from '../../core/request/call-options.ts';
import { isCount } from '../../util/numbers.ts';
import { findUnknownName } from '../../util/suggest.ts';
import type { ImportAllOptions } from './options.ts';

const defaults = {
  batchSize: 100,
  concurrency: 1,
  onInvalid: 'stop',
  onBatchError: 'stop',
  resumeFrom: 0,
} as const;

type Decided = keyof typeof defaults;

/** The options with every default filled in. */
export interface ImportPlan<Row>
  extends SetNonNullable<SetRequired<ImportAllOptions<Row>, Decided>, Decided> {
  /** What is passed on to each request. */
  readonly callOptions: RequestOptions;
}

/** Every option, and whether it is passed on to each request. */
const isCallOption: Readonly<Record<keyof ImportAllOptions, boolean>> = {
  map: false,
  batchSize: false,
  concurrency: false,
  onInvalid: false,
  onBatchError: false,
  resumeFrom: false,
  onRejected: false,
  onBatch: false,
  onProgress: false,
  signal: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
  validation: true,
  fetchOptions: true,
};

const functions = ['map', 'onRejected', 'onBatch', 'onProgress'] as const;

/** @throws {ConfigurationError} for an option that is unknown or cannot work. */
export function planImport<Row>(options: ImportAllOptions<Row>): ImportPlan<Row> {
  const unknown = findUnknownName(options, Object.keys(isCallOption));
  if (unknown !== null) throw new ConfigurationError(`importAll has no option ${unknown}.`);
  const given = Object.entries(readOptions(options)).filter(([, value]) => value !== undefined);
  const plan: ImportPlan<Row> = {
    ...defaults,
    ...Object.fromEntries(given),
    callOptions: Object.fromEntries(given.filter(([name]) => isCallOption[name as keyof ImportAllOptions])),
  };
  const problem = [
    !isCount(plan.batchSize) && '`batchSize` must be a positive integer',
    !isCount(plan.concurrency) && '`concurrency` must be a positive integer',
    !isCount(plan.resumeFrom, 0) && '`resumeFrom` must be an integer of 0 or more',
    !['stop', 'skip'].includes(plan.onInvalid) && "`onInvalid` must be 'stop' or 'skip'",
    !['stop', 'continue', 'bisect'].includes(plan.onBatchError) &&
      "`onBatchError` must be 'stop', 'continue' or 'bisect'",
    plan.signal !== undefined &&
      typeof plan.signal?.addEventListener !== 'function' &&
      '`signal` must be an AbortSignal',
    ...functions.map(
      (name) =>
        plan[name] !== undefined && typeof plan[name] !== 'function' && `\`${name}\` must be a function`,
    ),
  ].find((found) => found !== false);
  if (problem !== undefined) throw new ConfigurationError(`${problem}.`);
  return plan;
}

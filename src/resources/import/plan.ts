// Checks the options of a bulk import and fills in the defaults.

import type { SetNonNullable, SetRequired } from 'type-fest';
import type { RequestOptions } from '../../core/options.ts';
import { callNames, readOptions } from '../../core/request/call-options.ts';
import {
  assertKnown,
  checkChoice,
  checkCount,
  checkFunction,
  checkObject,
  checkSignal,
} from '../../core/request/checks.ts';
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
  /** Passed on to each request. */
  readonly callOptions: RequestOptions;
}

/** The options of an import besides those of its calls. */
const ownNames = Object.keys({
  map: true,
  batchSize: true,
  concurrency: true,
  onInvalid: true,
  onBatchError: true,
  resumeFrom: true,
  onRejected: true,
  onBatch: true,
  onProgress: true,
} satisfies Record<Exclude<keyof ImportAllOptions, keyof RequestOptions>, true>);

const functions = ['map', 'onRejected', 'onBatch', 'onProgress'] as const;

/** @throws {ConfigurationError} when an option is unknown or invalid. */
export function planImport<Row>(options: ImportAllOptions<Row>): ImportPlan<Row> {
  const read = readOptions(checkObject('options', options));
  assertKnown('the options of importAll', read, [...ownNames, ...callNames]);
  const given = Object.entries(read).filter(([, value]) => value !== undefined);
  const plan: ImportPlan<Row> = {
    ...defaults,
    ...Object.fromEntries(given),
    callOptions: Object.fromEntries(given.filter(([name]) => callNames.includes(name))),
  };
  checkCount('batchSize', plan.batchSize);
  checkCount('concurrency', plan.concurrency);
  checkCount('resumeFrom', plan.resumeFrom, 0);
  checkChoice('onInvalid', plan.onInvalid, ['stop', 'skip']);
  checkChoice('onBatchError', plan.onBatchError, ['stop', 'continue', 'bisect']);
  checkSignal(plan.signal);
  for (const name of functions) checkFunction(name, plan[name]);
  return plan;
}

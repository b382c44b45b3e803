// The options of a bulk assignment.

import { aBoolean, aCount, aFunction, type OptionTable, optional, withDefault } from '../../core/check.ts';
import { jobTable } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import type { Assignment, AssignmentResult } from '../assignments-summary.ts';
import { maxOutage } from '../outage.ts';

/** What `map` returns for a row. An id may be `undefined`, such as one that was not found: the job then stops and names the row. */
export interface MappedAssignment {
  /** Id of the participant. */
  readonly participant_id: number | undefined;
  /** Id of the exam. */
  readonly exam_id: number | undefined;
}

/**
 * Options of a bulk assignment of rows of type `Row`. The options of a single call apply to each of its requests. Functions are called
 * one at a time, in the order of the source, and awaited. An error they throw stops the job.
 */
export interface AssignAllOptions<Row = Assignment> extends JobOptions {
  /**
   * Turns a row into `{ participant_id, exam_id }`, or into `null` to skip it. `index` is its position in the source, from 0. It
   * must be synchronous: for work that takes time, make the source an async generator.
   * @default the rows as they are
   */
  readonly map?: ((row: Row, index: number) => MappedAssignment | null) | undefined;
  /**
   * Whether to fetch the link to the exam for each pair as well.
   * @default false
   */
  readonly link?: boolean | undefined;
  /**
   * Pairs in flight at once, at most `maxConcurrency` of the client.
   * @default 4
   */
  readonly concurrency?: number | undefined;
  /**
   * Rows to skip at the start of the source, such as those that an earlier run settled.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /**
   * For jobs that run unattended: how long to wait for a service that is down before the job stops, in milliseconds; `Infinity` for no
   * limit. Meanwhile one request at a time is sent, each after a longer wait, up to a minute, and no pair fails because of the outage.
   * @default 0
   */
  readonly maxOutage?: number | undefined;
  /** Called for every pair that is settled, in the order of the source. */
  readonly onResult?: ((result: AssignmentResult<Row>) => unknown) | undefined;
}

/** Every option with its check and its default. */
export const assignAllTable = {
  ...jobTable,
  map: optional(aFunction<NonNullable<AssignAllOptions<unknown>['map']>>),
  link: withDefault(aBoolean, false),
  concurrency: optional(aCount()),
  resumeFrom: withDefault(aCount(0), 0),
  maxOutage,
  onResult: optional(aFunction<NonNullable<AssignAllOptions<unknown>['onResult']>>),
} satisfies OptionTable<AssignAllOptions>;

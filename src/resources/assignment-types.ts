// The parameters and results of assignments.

import type { RequestOptions } from '../core/options.ts';

/** A participant and an exam: body or query of the endpoints under `/exam-participants`. */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Options of `ensure`. */
export interface EnsureOptions extends RequestOptions {
  /**
   * Whether to fetch the link to the exam as well.
   * @default false
   */
  readonly link?: boolean | undefined;
}

/** The result of `ensure`. */
export interface EnsuredAssignment {
  /** Whether this call made the assignment; `false` if an answer was lost, so that it cannot be known. */
  readonly created: boolean;
  /** The link to the exam; `null` unless `link` was set or the link was needed to find out. */
  readonly url: string | null;
}

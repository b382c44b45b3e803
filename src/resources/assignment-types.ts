import type { RequestOptions } from '../core/options.ts';

/** Which participant and which exam (interface document, Resources, Exam assignment). */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Options of `ensure`. */
export interface EnsureOptions extends RequestOptions {
  /**
   * Whether to get the link to the exam as well.
   * @default false
   */
  readonly link?: boolean | undefined;
}

/** What `ensure` found out. */
export interface EnsuredAssignment {
  /** Whether this call made the assignment; `false` also where an answer was lost, so that it cannot be told. */
  readonly created: boolean;
  /** The link to the exam; `null` unless `link` was set or it had to be asked for. */
  readonly url: string | null;
}

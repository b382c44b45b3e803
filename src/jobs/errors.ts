// The errors of what takes many calls. They stand apart from the code that throws them, so that a class alone stays small.

import { ExamServiceError } from '../core/errors/base.ts';
import { listNames } from '../util/suggest.ts';
import type { AssignmentsSummary } from './assignments-summary.ts';
import type { ImportSummary } from './import-summary.ts';
import type { Job } from './job.ts';

/**
 * A bulk import ended before its source did. `cause` is why: the error of a batch, of a row, of the source or of one of your
 * functions, or the reason of the signal. `outcome` is `unknown` if a row that is not settled may have been stored. `retryable` says
 * whether it can help to run it again with this `resumeFrom`, as after an outage.
 */
export class ImportStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'import_stopped';
  override readonly name = 'ImportStoppedError';
  override readonly code = 'import_stopped';
  /** What was done until then. */
  readonly summary: ImportSummary;
  /** Index of the first unsettled row, as in `summary`. */
  readonly resumeFrom: number;

  /** @internal Made by the import. */
  constructor(job: Job, summary: ImportSummary, mayBeStored: boolean, cause: unknown) {
    const { imported, rejected, resumeFrom } = summary;
    super(...job.stoppedBy(cause, `${imported} imported, ${rejected} rejected`, resumeFrom, mayBeStored));
    this.summary = summary;
    this.resumeFrom = resumeFrom;
  }
}

/**
 * A bulk assignment ended before its source did. `cause` is why: an error that concerns all pairs, what the source or one of your
 * functions threw, or the reason of the signal. `outcome` is `unknown` if a pair that is not settled may have been assigned.
 * `retryable` says whether it can help to run it again with this `resumeFrom`, as after an outage.
 */
export class AssignmentsStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'assignments_stopped';
  override readonly name = 'AssignmentsStoppedError';
  override readonly code = 'assignments_stopped';
  /** What was done until then. */
  readonly summary: AssignmentsSummary;
  /** Index of the first unsettled row, as in `summary`. */
  readonly resumeFrom: number;

  /** @internal Made by the job. */
  constructor(job: Job, summary: AssignmentsSummary, mayBeDone: boolean, cause: unknown) {
    const { assigned, alreadyAssigned, failed, resumeFrom } = summary;
    const done = `${assigned} assigned, ${alreadyAssigned} assigned before, ${failed} failed`;
    super(...job.stoppedBy(cause, done, resumeFrom, mayBeDone));
    this.summary = summary;
    this.resumeFrom = resumeFrom;
  }
}

/**
 * The response to a registration by `webhooks.ensure` was lost, and the signing secret in it cannot be read again; `cause` says how.
 * With an `endpointId`, call `webhooks.rotateSecret(error.endpointId)` for a new secret. Without one, look for the endpoint with
 * `webhooks.list()`: rotate its secret if it is there, otherwise call `ensure` again. `ensure` itself will not remind you: from now on
 * it finds the endpoint, and returns it without a secret.
 */
export class WebhookSecretLostError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'webhook_secret_lost';
  override readonly name = 'WebhookSecretLostError';
  override readonly code = 'webhook_secret_lost';
  /** Id of the endpoint whose secret is unknown; `null` when the list shows none with this `url`, or several. */
  readonly endpointId: number | null;

  /** @internal Made by `ensure`. */
  constructor(endpointId: number | null, cause: unknown) {
    const advice =
      endpointId === null
        ? 'and the list does not show which endpoint it is. If webhooks.list() has it, call webhooks.rotateSecret(id); if not, call ensure again.'
        : `but endpoint ${endpointId} is registered. Call webhooks.rotateSecret(${endpointId}).`;
    super(
      `webhooks.ensure: the response with the secret was lost, ${advice}`,
      { outcome: endpointId === null ? 'unknown' : 'done', retryable: false },
      { cause },
    );
    this.endpointId = endpointId;
  }
}

/**
 * Several participants have an email that `findByEmail` was asked for, in other spellings, and none as it was given: which of them was
 * meant is not known.
 */
export class AmbiguousEmailsError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'ambiguous_emails';
  override readonly name = 'AmbiguousEmailsError';
  override readonly code = 'ambiguous_emails';
  /** All such emails, as they were given. */
  readonly emails: readonly string[];

  /** @internal Made by `findByEmail`. */
  constructor(emails: readonly string[]) {
    super(
      `participants.findByEmail: several participants have each of these emails in other spellings: ${listNames(emails)}. ` +
        'Give the emails as the service has them.',
    );
    this.emails = emails;
  }
}

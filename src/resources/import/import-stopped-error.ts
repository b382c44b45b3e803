import { ExamServiceError, isExamServiceError } from '../../core/errors/base.ts';
import { ImportFault } from './fault.ts';
import type { ImportSummary } from './summary.ts';

/**
 * A bulk import ended before its source did. `cause` is why: the error of a batch, of a row, of the source or of one of
 * your functions, or the reason of the signal. `summary` says what was done until then; to do the rest, run the import
 * again with its `resumeFrom`.
 */
export class ImportStoppedError extends ExamServiceError {
  override readonly name = 'ImportStoppedError';
  override readonly code = 'import_stopped';
  /** What was done until then. */
  readonly summary: ImportSummary;

  constructor(summary: ImportSummary, cause: unknown) {
    const { sent, imported, failed, resumeFrom } = summary;
    super(
      `participants.importAll: stopped with ${sent} ${sent === 1 ? 'row' : 'rows'} sent, ${imported} imported and ` +
        `${failed} left out; continue with \`resumeFrom: ${resumeFrom}\`.${describe(cause)}`,
      {
        outcome: sent === 0 ? 'not_sent' : 'unknown',
        retryable: isExamServiceError(cause) && cause.retryable,
      },
      { cause: cause instanceof ImportFault ? cause.cause : cause },
    );
    this.summary = summary;
  }
}

/** The part of the cause that may be shown: another library's message may quote a row, and so a password. */
function describe(cause: unknown): string {
  return cause instanceof ImportFault || isExamServiceError(cause) ? ` ${cause.message}` : '';
}

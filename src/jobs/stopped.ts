// Why a job stopped, and what its error says.

import { isVerdict, type Outcome, type Verdict } from '../core/errors/base.ts';
import { createRedact, leavesOf } from '../core/redact.ts';
import { copyError, messageOf } from '../util/errors.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';

interface FaultOptions {
  readonly cause?: unknown;
  /** What became of those that are not settled, unless that is in doubt. */
  readonly outcome?: Outcome;
  /** Whether going on later can help. */
  readonly retryable?: boolean;
  /** What is at fault, and where to go on to leave it out. */
  readonly past?: { readonly from: number; readonly to: number };
}

/** Something other than the error of a request stopped a job. The message says what; that of the cause may quote a row. */
export class JobFault extends Error {
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly past: FaultOptions['past'];

  constructor(message: string, { cause, outcome = 'not_sent', retryable = false, past }: FaultOptions) {
    super(message, { cause });
    this.outcome = outcome;
    this.retryable = retryable;
    this.past = past;
  }
}

/**
 * The fault of what reads rows. The error of a parser or a database may hold the row itself, so the cause is a copy without it, and
 * without its texts; where the `row` is not known, without what follows a quotation mark, which may be a cell.
 */
export function rowFault(what: string, cause: unknown, row?: unknown): JobFault {
  const { code } = Object(cause);
  const name = /^[A-Z]\w{1,60}$/.test(String(code)) ? ` (${code})` : '';
  const hide = (text: string) => (row === undefined ? text.replace(/".*/g, '"…') : hiding(row)(text));
  return new JobFault(`${what}${name}.`, { cause: copyError(cause, hide) });
}

/** Removes every text of a row from other text. */
export function hiding(row: unknown): (text: string) => string {
  // A row may have getters that throw, or be nested without end.
  return createRedact(() => tryOrUndefined(() => leavesOf(row)) ?? []);
}

/** The verdict of what is no error of a request. */
const unsent: Verdict = { outcome: 'not_sent', retryable: false };

/** What a job had done when it stopped. */
interface Stop {
  readonly job: string;
  readonly done: string;
  /** What its source holds. */
  readonly item: string;
  readonly resumeFrom: number;
  /** Whether something that is not settled may have taken effect. */
  readonly isInDoubt: boolean;
}

/** What the error of a job that stopped is made of; its message ends with the reason, and where to go on. */
export function stoppedBy(
  { job, done, item, resumeFrom, isInDoubt }: Stop,
  cause: unknown,
  signal: AbortSignal | undefined,
): [message: string, verdict: Verdict, options: { readonly cause: unknown }] {
  const fault = cause instanceof JobFault ? cause : undefined;
  const { outcome, retryable } = fault ?? (isVerdict(cause, signal) ? cause : unsent);
  const reason = messageOf(cause)
    .replace(/^\w+\.(?=importAll|assignAll)\w+: /, '')
    .replace(/[.\s]*$/, '.');
  const past = fault?.past?.from === resumeFrom ? `, or past it with \`resumeFrom: ${fault.past.to}\`` : '';
  const message =
    `${job}: ${done}, stopped at ${item} ${resumeFrom}: ${reason} ` +
    `Go on with \`resumeFrom: ${resumeFrom}\`${past}.`;
  const verdict = { outcome: isInDoubt ? 'unknown' : outcome, retryable } as const;
  return [message, verdict, { cause: fault === undefined ? cause : fault.cause }];
}

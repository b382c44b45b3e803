// Tells from an error whether the batch or single rows are at fault, and which.

import type { ApiError } from '../../core/errors/api-error.ts';
import { isExamServiceError } from '../../core/errors/base.ts';

/** Statuses of a refused batch: the service documents 400 and 422, a server in front of it may answer 413. */
const refusals: readonly number[] = [400, 413, 422];

/** Refusals that a row can cause. The limit of participants (400) is never a row's fault. */
const faultsOfRows: readonly number[] = [413, 422];

/** Whether the service examined the batch and rejected it. */
export function isRefusal({ status }: ApiError): boolean {
  return refusals.includes(status);
}

/** Whether fewer or other rows could have been accepted. */
export function isFaultOfRows({ status }: ApiError): boolean {
  return faultsOfRows.includes(status);
}

/** Whether the service failed on the batch, which a row can cause. Other failures (502, 503, 504) happen before that. */
export function isCrash({ status }: ApiError): boolean {
  return status === 500;
}

/** Whether a request failed before anything was sent. */
export function isUnsent(error: unknown): boolean {
  return isExamServiceError(error) && error.outcome === 'not_sent';
}

/** `participants.3.email`, or `participants.3` for a row as a whole. */
const rowField = /^participants\.(\d+)(?:\.(.+))?$/;

/**
 * The rows that a refusal names, by position in the request, with the reason for each. `null` when it names none, or
 * one that was not sent: its numbers then mean something else.
 */
export function findNamedRows({ fieldErrors }: ApiError, sent: number): ReadonlyMap<number, string> | null {
  const named = new Map<number, string>();
  for (const [field, messages] of Object.entries(fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const position = Number(digits);
    if (position >= sent) return null;
    const text = messages.join(' ').replaceAll(`participants.${digits}.`, '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    const others = named.get(position);
    named.set(position, others === undefined ? reason : `${others} ${reason}`);
  }
  return named.size === 0 ? null : named;
}

// The findings of `exam-service-sdk inspect`, as text and as JSON. The fields of records stand in the file that is written.

import { hasStatus } from '../../core/errors/api-error.ts';
import { printable } from '../terminal.ts';
import type { Finding } from './examination.ts';

const REQUEST_WIDTH = 36;
const CREDENTIAL_WIDTH = 14;

/** The findings, for people: a line for each request. */
export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ request, credential, error, remarks }) => {
    const words = error === null ? ['accepted', ...remarks].join('; ') : problemOf(error);
    return `${request.padEnd(REQUEST_WIDTH)}${credential.padEnd(CREDENTIAL_WIDTH)}${printable(words)}\n`;
  });
  return lines.join('');
}

/** The same findings for programs. */
export function jsonReport(findings: readonly Finding[]): string {
  const responses = findings.map(({ error, ...rest }) => ({ ...rest, error: error && problemOf(error) }));
  return `${JSON.stringify({ responses }, null, 2)}\n`;
}

/** Why the client can use none of the responses; `null` if it can use one. */
export function explainFailure(findings: readonly Finding[]): string | null {
  if (findings.some(({ error }) => error === null)) return null;
  return findings.every(({ error }) => hasStatus(error, 401, 403))
    ? 'The service rejects the key: check EXAM_SERVICE_API_KEY, and that the key is of this service.'
    : 'No response is as documented. Does the base URL end with the version prefix, such as /api/v1?';
}

/** Without the request, which is named beside it and may hold an id here. */
function problemOf({ message }: Error): string {
  return message.replace(/^.*?GET \S+ /, '');
}

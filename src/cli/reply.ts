// Sends a request and says what came back, in words that show no value: shared by the commands that examine a service.

import type { ExamClient } from '../client.ts';
import { isApiError } from '../core/errors/api-error.ts';
import { RedirectError, ResponseError } from '../core/errors/response-error.ts';
import { findJsonBehindText } from '../core/response/error-body.ts';
import { findFailure } from '../core/response/find.ts';

interface Facts {
  readonly status: number;
  readonly headers: Headers;
  /** The status, and what came in place of JSON: `200`, `302 to https://host/login`, `200, a page of HTML`. */
  readonly words: string;
}

/** A success whose body could be read. Only this has content to judge. */
export interface Content extends Facts {
  readonly ok: true;
  readonly kind: 'content';
  readonly body: unknown;
}

/** Everything else. */
export interface Failure extends Facts {
  readonly ok: false;
  readonly kind: 'rejected' | 'gateway' | 'redirect' | 'text before JSON' | 'unreadable';
  /** The error of the client; absent where the body alone says that the request failed. */
  readonly error?: ResponseError;
}

export type Reply = Content | Failure;

type Request = Parameters<ExamClient['request']>[0];

/** @throws {ExamServiceError} when nothing came back; the reason of `signal` after an abort */
export async function ask(client: ExamClient, request: Request, signal: AbortSignal): Promise<Reply> {
  try {
    const { data: body, meta } = await client.request(request, { signal }).withResponse();
    const { status, headers } = meta;
    const words = String(status);
    if (!reportsFailure(body, request.method))
      return { ok: true, kind: 'content', status, headers, words, body };
    const failure = `${status}, but the body says that it failed`;
    return { ok: false, kind: 'rejected', status, headers, words: failure };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ResponseError) return readFailure(error);
    throw error;
  }
}

/** Whether a body says that the request failed. What a GET asks for is not known here: any data will do. */
function reportsFailure(body: unknown, method: string): boolean {
  const kinds = method === 'GET' ? (['list', 'record', 'link'] as const) : (['acknowledgement'] as const);
  return kinds.every((kind) => findFailure({ kind, key: 'id', ofRows: true }, body) !== null);
}

function readFailure(error: ResponseError): Reply {
  const { status, headers } = error;
  const text = error.body.trim();
  const failure = (kind: Failure['kind'], more = ''): Failure => {
    return { ok: false, kind, status, headers, words: `${status}${more}`, error };
  };
  if (error instanceof RedirectError) {
    return failure('redirect', error.location === null ? ', a redirect' : ` to ${error.location}`);
  }
  if (isApiError(error) && error.origin === 'gateway') {
    return failure('gateway', `, ${text === '' ? 'an empty body' : describeBody(text)}`);
  }
  if (status < 200 || status >= 300) return failure('rejected');
  // The client takes a link as plain text.
  if (/^https?:\/\/\S+$/i.test(text)) {
    return { ok: true, kind: 'content', status, headers, words: String(status), body: text };
  }
  const kind = hasTextBeforeJson(text) ? 'text before JSON' : 'unreadable';
  return failure(kind, `, ${describeBody(text)}`);
}

/** What a body is that is not JSON. */
function describeBody(text: string): string {
  if (text === '') return 'a body that was cut short';
  if (hasTextBeforeJson(text)) return `${isByPhp(text) ? 'a message of PHP' : 'text'} before the JSON`;
  return text.startsWith('<') ? 'a page of HTML' : 'a body that is not JSON';
}

function isByPhp(text: string): boolean {
  return /\b(warning|notice|deprecated|(fatal|parse) error)(<\/b>)?:/i.test(text);
}

/** Errors keep so much of a body, or a little less: in characters. */
const KEPT = 60_000;

/** Whether something stands before JSON, such as a warning of PHP. */
function hasTextBeforeJson(text: string): boolean {
  if (/^(<(!doctype|html|head|body|\?xml)|[[{])/i.test(text)) return false;
  // Of a long body there is no end to be read.
  return findJsonBehindText(text) !== undefined || (text.length > KEPT && /[[{]\s*["{]/.test(text));
}

/** Whether the service, and no gateway, rejected the request with one of these statuses. */
function isRejectedWith({ kind, status }: Reply, ...statuses: readonly number[]): boolean {
  return kind === 'rejected' && statuses.includes(status);
}

/** Why a service returns none of its lists, in words; `null` if it returns one, or if there is no common reason. */
export function explainRejections(replies: readonly Reply[]): string | null {
  if (replies.some(({ ok }) => ok)) return null;
  const seen = [...new Set(replies.map(({ words }) => words))].join(', ');
  if (replies.every((reply) => isRejectedWith(reply, 401, 403))) {
    return `The service rejects the key (${seen}). Check EXAM_SERVICE_API_KEY, and that the key is of this service.`;
  }
  if (replies.some(({ kind }) => kind === 'text before JSON')) {
    return `The service writes text before its JSON (${seen}), so that no client can read it. In PHP, set display_errors to 0.`;
  }
  if (replies.some(({ kind, status }) => status === 404 || kind !== 'rejected')) {
    return `There is no list of the service at this address (${seen}). The base URL ends with the version prefix: /api/v1.`;
  }
  return null;
}

// The error for a response that is not a success, with as much of its body as it takes to explain it; and for a success
// whose body is not whole.

import { attempt } from '../../util/attempt.ts';
import { copyError, innermostMessage } from '../../util/errors.ts';
import { isObject } from '../../util/json.ts';
import { discard, readText } from '../../util/read-stream.ts';
import { createApiError, type ErrorDetails } from '../errors/api-error.ts';
import { describePage, originOf, parseErrorBody } from '../errors/origin.ts';
import {
  RedirectError,
  type ResponseError,
  type ResponseFacts,
  ResponseFormatError,
} from '../errors/response-error.ts';
import type { Settings } from '../options/settings.ts';
import type { Plan } from '../plan.ts';
import type { Progress } from '../progress.ts';
import { withDeadline } from '../time.ts';
import type { Received } from '../wire.ts';

/** Bytes of an error body that are read at most: a service in trouble may send any amount. */
const ERROR_BODY_LIMIT = 64 * 1024;
/** A 422 may name every row of an import. */
const VALIDATION_BODY_LIMIT = 1024 * 1024;
/** How long to wait for the body of an error; its status says enough. */
const ERROR_BODY_WAIT_MS = 5_000;

/** The error of a response that is not a success, or whose body has not come whole. Its attempt has to end at `endsAt`. */
export async function failureOf(
  progress: Progress,
  { maxResponseBytes }: Settings,
  { response, cut }: Received,
  endsAt: number,
): Promise<ResponseError> {
  const { plan } = progress;
  const { status, statusText, headers } = response;
  const facts: ResponseFacts = { request: progress, status, statusText, headers, body: '' };
  if (isRedirect(response)) {
    discard(Object(response.body));
    return new RedirectError(facts, readLocation(response, plan.url));
  }
  if (response.ok) {
    if (cut === undefined) {
      const problem = `its body is longer than \`maxResponseBytes\`, ${maxResponseBytes} bytes`;
      return new ResponseFormatError(facts, problem, 'done', { retryable: false });
    }
    const cause = copyError(cut.cause, progress.redact.text);
    const problem = `its body was cut short: ${innermostMessage(cause)}`;
    return new ResponseFormatError(facts, problem, 'done', { cause });
  }
  const limit = status === 422 ? VALIDATION_BODY_LIMIT : ERROR_BODY_LIMIT;
  const time = Math.min(ERROR_BODY_WAIT_MS, endsAt - performance.now());
  const { text, isWhole } = await readStart(response, limit, time, plan.rules.signal);
  const body = progress.redact.key(text, !isWhole);
  const origin = originOf(text, isWhole, headers);
  const details: ErrorDetails =
    origin === 'service'
      ? { origin, page: '', ...readErrorBody(text) }
      : {
          origin,
          page: describePage(text, isWhole, headers, progress.redact),
          message: null,
          fieldErrors: {},
        };
  return createApiError({ ...facts, body }, details, adviceFor(status, origin, plan));
}

/** What to do about a status. */
function adviceFor(status: number, origin: ErrorDetails['origin'], { operation, rules }: Plan): string {
  const isOfService = origin === 'service';
  if (status === 401 && rules.isKeyless) {
    return 'The client sends no key (`apiKey: null`): does the proxy add it?';
  }
  if (status === 401 && isOfService) return 'Check the API key.';
  if (status === 403 && isOfService) {
    return 'The key may be wrong or expired, or the account lacks permission.';
  }
  if (status === 401 || status === 403) return 'If it is, check the API key.';
  if (status === 404 && (!isOfService || operation.response.kind === 'list')) {
    return 'Does the base URL end with the version prefix, such as /api/v1?';
  }
  return '';
}

/** A browser reports a redirect that was not followed as opaque; a custom fetch may have followed it. */
function isRedirect(response: Response): boolean {
  const isRedirection = response.status >= 300 && response.status < 400 && response.status !== 304;
  return isRedirection || response.type === 'opaqueredirect' || response.redirected;
}

/** Where a redirect points, without the parts of a URL that may be secret: credentials, query and fragment. */
function readLocation(response: Response, requested: string): string | null {
  const location = response.redirected ? response.url : response.headers.get('location');
  if (location === null) return null;
  const { origin, pathname } = attempt(() => new URL(location, requested)) ?? {};
  return pathname === undefined || origin === 'null' ? null : origin + pathname;
}

/** Reads a body until time or space runs out, or the caller's signal aborts. */
async function readStart(
  response: Response,
  limit: number,
  milliseconds: number,
  parent: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const read = { text: '', isWhole: false };
  try {
    read.isWhole = await withDeadline(parent, milliseconds, (signal) =>
      readText(response, limit, read, signal),
    );
  } catch {
    // A connection that breaks here loses part of the explanation; the status is what counts.
  }
  return read;
}

// What an error body says. The service does not document these, so every common form is read.

/** Reads the message and the messages by field of an error body. */
export function readErrorBody(text: string): Pick<ErrorDetails, 'message' | 'fieldErrors'> {
  // Of a body that was cut, the status has to do.
  const body = parseErrorBody(text);
  const { errors, error, message, data } = isObject(body) ? body : {};
  const inner = isObject(data) ? data['errors'] : undefined;
  return {
    message: findText(body, ['message', 'detail', 'title']) ?? findText(error ?? errors, ['message']),
    fieldErrors: readFieldErrors(errors ?? inner ?? [body, error, message, data].find(isBag)),
  };
}

/** The first string under one of the keys, or the value itself if it is a string. */
function findText(value: unknown, keys: readonly string[]): string | null {
  const candidates = isObject(value) ? keys.map((key) => value[key]) : [value];
  const text = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return typeof text === 'string' ? text.trim() : null;
}

/** A validator nests no deeper than the body that it validates. */
const DEEPEST_FIELD = 4;

/** Messages by field: as a map, as nested maps, or as a list of messages or of records with a field and a message. */
function readFieldErrors(errors: unknown): Record<string, string[]> {
  // A field may have the name of anything that an object inherits.
  const fields = new Map<string, string[]>();
  const add = (field: string, message: unknown): void => {
    if (typeof message !== 'string') return;
    const messages = fields.get(field) ?? [];
    messages.push(message);
    fields.set(field, messages);
  };
  const read = (value: unknown, field: string, depth: number): void => {
    const inner = (name: string) => (field === '' ? name : `${field}.${name}`);
    if (Array.isArray(value)) {
      for (const each of value) {
        const { field: name, message } = Object(each);
        if (typeof name === 'string') add(inner(name), message);
        else add(field, each);
      }
    } else if (isObject(value) && depth < DEEPEST_FIELD) {
      for (const [name, each] of Object.entries(value)) read(each, inner(name), depth + 1);
    } else add(field, value);
  };
  if (typeof errors !== 'string') read(errors, '', 0);
  return Object.fromEntries(fields);
}

/** Some validators send their messages alone: a list of strings, or such a list for every field. */
function isBag(value: unknown): boolean {
  return isObject(value) ? Object.values(value).every(isTexts) : isTexts(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
}

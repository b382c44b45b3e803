// Reads the body of a success into the value that the caller gets, and reports it if its shape differs. Reading depends on nothing
// but the response and its text.

import { copyError } from '../../util/errors.ts';
import { findJsonBehindText, isObject, type JsonObject, parseJson } from '../../util/json.ts';
import {
  describeIssues,
  type Issue,
  type SchemaIssue,
  type SchemaResult,
  toCodes,
  toIssues,
} from '../../util/standard-schema.ts';
import {
  type ResponseFacts,
  ResponseFormatError,
  ResponseValidationError,
} from '../errors/response-error.ts';
import type { ListSpec, SingleSpec } from '../operation.ts';
import type { CallFacts, Plan } from '../plan.ts';
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_SENTENCE, type Redact } from '../redact.ts';
import { isThenable, withDeadline } from '../time.ts';
import { readErrorBody } from './error-body.ts';
import { findList } from './find.ts';
import { findFailure, kindOf } from './kinds.ts';

/** A successful response whose body has arrived, and what is known of its call. */
export interface ResponseToRead extends ResponseFacts {
  readonly request: CallFacts;
  /** Reports what differs from the expected shape, in mode `report`. */
  readonly report: (issues: readonly Issue[]) => void;
  /** Sends a further call, such as for the next page of a list, and reads its response. */
  readonly send: <T>(plan: Plan, reader: Reader<T>) => Promise<T>;
}

/** Reads a response into the value that the caller gets. */
export type Reader<T> = (response: ResponseToRead) => Promise<T>;

/** A record of a list. */
export interface Row<Item> {
  /** As the service sent it. The client decides by this alone: a caller's schema may mask, change or drop any field. */
  readonly sent: unknown;
  /** What the caller gets: as the schemas made it. In a list that is read unchecked, as the service sent it. */
  readonly item: Item;
}

/** A list after reading. */
export interface ReadList<Item> {
  readonly rows: readonly Row<Item>[];
  /** Checks one row of a list that is read unchecked, also after the list was read: gives what the schemas make of it. */
  readonly check: (row: Row<unknown>) => Promise<Item>;
  /** The objects around them, outermost first, which may hold metadata of the pages. */
  readonly envelopes: readonly JsonObject[];
  /** Reports metadata that contradicts itself: throws in mode `strict`, otherwise informs hooks and log. */
  readonly contradict: (issue: SchemaIssue) => void;
}

/** Reads the response of an operation that returns one value. */
export async function readValue(response: ResponseToRead): Promise<unknown> {
  const spec = response.request.operation.response as SingleSpec;
  const body = parseBody(response);
  const match = kindOf(spec).find(body, spec);
  if (match === null) throw withoutData(response, body);
  const { signal } = response.request.plan.rules;
  const { data, mismatch } = await checkAll(response, [match.value], () => match.path, signal);
  const minimum = spec.kind === 'record' ? spec.minimum?.() : undefined;
  // Our own schemas are synchronous.
  const readable = minimum?.['~standard'].validate(match.value) as SchemaResult<unknown> | undefined;
  if (readable?.issues)
    throw shapeError(response, toMismatch(response, readable.issues, true, match.path), body);
  report(response, mismatch, body, readable !== undefined);
  return readable !== undefined && mismatch.issues.length > 0 ? readable.value : data[0];
}

/** Reads the response of an operation that returns a list. */
export async function readList<Item>(response: ResponseToRead): Promise<ReadList<Item>> {
  const body = parseBody(response);
  const match = findList(body);
  if (match === null) throw withoutData(response, body);
  const { path, value: items, envelopes } = match;
  const check = async (values: readonly unknown[], first: number, signal: AbortSignal | undefined) => {
    const pathOf = (index: number) => [...path, first + index];
    const { data, mismatch } = await checkAll(response, values, pathOf, signal);
    report(response, mismatch, body);
    return data as Item[];
  };
  const { operation, plan } = response.request;
  const { isUnchecked } = operation.response as ListSpec;
  const data = isUnchecked ? (items as Item[]) : await check(items, 0, plan.rules.signal);
  return {
    rows: data.map((item, index) => ({ sent: items[index], item })),
    envelopes,
    // The signal of a page within an iteration ends with the iteration.
    check: async ({ sent }) => (await check([sent], items.indexOf(sent), plan.options.signal))[0] as Item,
    contradict: (issue) => report(response, toMismatch(response, [issue], true, []), body),
  };
}

/** @throws {ResponseFormatError} when the body is not JSON, is empty or reports a failure */
function parseBody(response: ResponseToRead): unknown {
  const spec = response.request.operation.response;
  const text = response.body.trim();
  if (text === '') {
    if (kindOf(spec).expects === null) return undefined;
    throw new ResponseFormatError(response, 'its body is empty');
  }
  const json = parseJson(text);
  if (json === undefined && spec.kind === 'link' && /^https?:\/\/\S+$/i.test(text)) return text;
  const body = json === undefined ? findJsonBehindText(text) : json;
  const failure = findFailure(spec, body);
  if (failure !== null) throw reportedFailure(response, body, failure);
  if (json === undefined) throw notJson(response, text, body !== undefined);
  return json;
}

function reportedFailure(response: ResponseToRead, body: unknown, outcome: 'rejected' | 'unknown') {
  const { message } = readErrorBody(body);
  const quoted = response.request.redact(message ?? '', LONGEST_SENTENCE).replace(/\.+$/, '');
  const problem = `its body says that the operation failed${quoted && `: ${quoted}`}`;
  return new ResponseFormatError(response, problem, outcome, { retryable: false });
}

/** Says what came instead of JSON. The request took effect (`done`) only if this is the service's own response. */
function notJson(response: ResponseToRead, text: string, hasJson: boolean): ResponseFormatError {
  const sent = response.headers.get('content-type');
  const type = sent === null ? 'no content type' : response.request.redact(sent);
  const isPage = text.startsWith('<');
  const isService =
    hasJson || (!isPage && (/\bjson\b/i.test(type) || text.startsWith('{') || text.startsWith('[')));
  let problem = `its body (${type}) is not valid JSON; it may have been cut short`;
  if (hasJson) problem = `its body (${type}) has text before the JSON, such as a PHP warning`;
  else if (isPage) problem = `its body is a page of HTML or XML (${type}), not JSON: check the base URL`;
  else if (sent !== null && !isService && !/html|xml|text\/plain/i.test(sent))
    problem = `its body (${type}) is not JSON; to read it yourself, use .asResponse()`;
  return new ResponseFormatError(response, problem, isService ? 'done' : 'unknown');
}

/** Why the values of a response were rejected, without secrets. */
interface SchemaMismatch {
  readonly issues: Issue[];
  /** For logs and hooks: messages of a caller's schema may quote values, so these have only paths and codes. */
  readonly printable: Issue[];
}

/** `isOwn`: the messages are ours. */
function toMismatch(
  { request: { redact } }: ResponseToRead,
  given: readonly SchemaIssue[],
  isOwn: boolean,
  path: readonly PropertyKey[],
): SchemaMismatch {
  const named = (issue: Issue) => ({ ...issue, path: redact(issue.path, LONGEST_NAME) });
  const issues = toIssues(given, path).map(named);
  // Our own messages contain nothing secret, and a password may equal one of their words.
  if (isOwn) return { issues, printable: issues };
  const safe = issues.map((issue) => ({ ...issue, message: redact(issue.message, LONGEST_MESSAGE) }));
  return { issues: safe, printable: toCodes(given, path).map(named) };
}

/**
 * Checks values by one schema after the other, each of which may be asynchronous; a value that is rejected stays as it is. `pathOf` says
 * where a value was found.
 */
async function checkAll(
  response: ResponseToRead,
  values: readonly unknown[],
  pathOf: (index: number) => readonly PropertyKey[],
  signal: AbortSignal | undefined,
) {
  const { operation, schemas, rules } = response.request.plan;
  const data = [...values];
  const mismatch: SchemaMismatch = { issues: [], printable: [] };
  for (const [index, value] of values.entries()) {
    for (const [step, schema] of schemas.entries()) {
      let rejected: SchemaMismatch;
      try {
        const given = schema['~standard'].validate(data[index]);
        // Awaiting every item of a long page would cost more than checking it.
        const result = isThenable(given) ? await withDeadline(signal, Infinity, async () => given) : given;
        if (result.issues === undefined) {
          data[index] = result.value;
          continue;
        }
        // The first schema is ours, except in a custom request.
        const isOwn = step === 0 && operation.response.kind !== 'any';
        rejected = toMismatch(response, result.issues, isOwn, pathOf(index));
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        if (rules.validation === 'strict') throw brokenSchema(response, cause);
        rejected = toMismatch(response, [{ message: schemaFailed }], true, pathOf(index));
      }
      mismatch.issues.push(...rejected.issues);
      mismatch.printable.push(...rejected.printable);
      data[index] = value;
      break;
    }
  }
  return { data, mismatch };
}

const schemaFailed = 'the schema given in the option `schemas` or `schema` failed';

function brokenSchema(response: ResponseToRead, thrown: unknown): ResponseValidationError {
  const cause = copyError(thrown, response.request.redact);
  const issues = [{ path: '', message: schemaFailed }];
  return new ResponseValidationError(response, issues, `${schemaFailed}.`, { cause });
}

/** Throws in mode `strict`, unless the value is usable; otherwise informs hooks and log. */
function report(response: ResponseToRead, mismatch: SchemaMismatch, body: unknown, isUsable = false): void {
  if (mismatch.issues.length === 0) return;
  if (response.request.plan.rules.validation === 'strict' && !isUsable) {
    const advice = " Use `validation: 'report'` to log such responses instead of throwing.";
    throw shapeError(response, mismatch, body, advice);
  }
  response.report(mismatch.printable);
}

/** Without recognisable data there is nothing to return, in any mode. */
function withoutData(response: ResponseToRead, body: unknown): ResponseValidationError {
  const spec = response.request.operation.response;
  const path = spec.kind === 'part' ? spec.path.join('.') : '';
  const issues = [{ path, message: `should be ${kindOf(spec).expects}` }];
  return shapeError(response, { issues, printable: issues }, body);
}

function shapeError(response: ResponseToRead, mismatch: SchemaMismatch, body: unknown, advice = '') {
  const shape = describeShape(body, response.request.redact);
  const problem = `${describeIssues(mismatch.printable)}. The body is ${shape}.${advice}`;
  return new ResponseValidationError(response, mismatch.issues, problem);
}

const MOST_KEYS = 12;
const LONGEST_KEY = 60;

/** The kind of a value and, for an object, its keys; never the values, which may be personal. */
function describeShape(value: unknown, redact: Redact, depth = 2): string {
  if (value === undefined) return 'empty';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (!isObject(value)) return `a ${typeof value}`;
  const keys = Object.keys(value).map((key) => redact(key, LONGEST_KEY));
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, MOST_KEYS).join(', ') + (keys.length > MOST_KEYS ? ', …' : '');
  const inner = value['data'];
  const isShown = inner !== undefined && depth > 0;
  return `an object with the keys ${shown}${isShown ? ` (data: ${describeShape(inner, redact, depth - 1)})` : ''}`;
}

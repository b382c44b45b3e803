// The third step of a call: reads an answer into the value that the caller gets, and reports it if its shape differs.

import { copyError } from '../../util/errors.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import {
  type Issue,
  type SchemaIssue,
  type SchemaResult,
  toCodes,
  toIssues,
} from '../../util/standard-schema.ts';
import { findJsonBehindText } from '../errors/origin.ts';
import {
  type ResponseFacts,
  ResponseFormatError,
  ResponseValidationError,
} from '../errors/response-error.ts';
import type { Notify } from '../notify.ts';
import type { SingleSpec } from '../operation.ts';
import type { Progress } from '../progress.ts';
import { LONGEST_MESSAGE, type Redact } from '../secrets.ts';
import { withDeadline } from '../time.ts';
import { readErrorBody } from './failure.ts';
import {
  type Found,
  findEnvelope,
  findFailure,
  findLink,
  findList,
  findRecord,
  readAcknowledgement,
} from './find.ts';

/** A successful response whose body has arrived, and what is known of its call. */
export interface Answer extends ResponseFacts {
  readonly request: Progress;
  readonly notify: Notify;
}

/** A list after reading. */
export interface ReadList<Item> {
  /** The checked items. */
  readonly data: readonly Item[];
  /** The same items as they came. */
  readonly items: readonly unknown[];
  /** The objects around them, which may say something about the pages. */
  readonly levels: readonly JsonObject[];
  /** Throws in mode `strict`, because the metadata contradicts itself; otherwise informs hooks and log. */
  readonly contradict: (issue: SchemaIssue) => void;
}

/** The longest part of the service's message that is quoted in an error, in characters. */
const LONGEST_SENTENCE = 500;

/** Reads the answer of an operation that returns one value. */
export async function readValue(answer: Answer): Promise<unknown> {
  const spec = answer.request.operation.response as SingleSpec;
  const body = parseBody(answer);
  const found = find(spec, body);
  if (typeof found === 'string') throw unexpectedShape(answer, body, found);
  const drift: Drift[] = [];
  const refuse: Refuse = (issues, step) => drift.push(toDrift(answer, issues, step, found.path));
  const value = await check(answer, found.value, refuse);
  if (drift.length === 0) return value;
  const rescued = rescue(spec, found.value);
  settle(answer, drift, body, rescued !== undefined);
  return rescued ?? value;
}

/** Reads the answer of an operation that returns a list. */
export async function readList<Item>(answer: Answer): Promise<ReadList<Item>> {
  const body = parseBody(answer);
  const found = findList(body);
  if (found === null) throw unexpectedShape(answer, body, 'a list');
  const drift: Drift[] = [];
  const data: unknown[] = [];
  const refuse: Refuse = (issues, step) =>
    drift.push(toDrift(answer, issues, step, [...found.path, data.length]));
  for (const item of found.items) {
    const checked = check(answer, item, refuse);
    // By what it can do: a library may have replaced the global `Promise`.
    data.push(typeof Object(checked).then === 'function' ? await checked : checked);
  }
  if (drift.length > 0) settle(answer, drift, body);
  const contradict = (issue: SchemaIssue) => settle(answer, [toDrift(answer, [issue], 0)], body);
  return { data: data as Item[], items: found.items, levels: found.levels, contradict };
}

/** @throws {ResponseFormatError} when the body is not JSON, is empty or says that the operation failed */
function parseBody(answer: Answer): unknown {
  const { kind } = answer.request.operation.response;
  const text = answer.body.trim();
  if (text === '') {
    if (kind === 'acknowledgement' || kind === 'nothing' || kind === 'any') return undefined;
    throw new ResponseFormatError(answer, 'its body is empty');
  }
  let body: unknown;
  let unreadable: ResponseFormatError | undefined;
  try {
    body = JSON.parse(text);
  } catch {
    // The platform's message quotes the body, which may be personal, so it is not kept as a cause.
    if (kind === 'link' && /^https?:\/\/\S+$/i.test(text)) return text;
    body = findJsonBehindText(text);
    unreadable = notJson(answer, text, body !== undefined);
  }
  const failure = kind === 'any' ? null : findFailure(body, kind === 'acknowledgement');
  if (failure !== null) {
    const { message } = readErrorBody(text);
    const said = answer.request.redact.text(message ?? '', LONGEST_SENTENCE).replace(/\.+$/, '');
    const why = said === '' ? '' : `: ${said}`;
    throw new ResponseFormatError(answer, `its body says that the operation failed${why}`, failure);
  }
  if (unreadable !== undefined) throw unreadable;
  return body;
}

function notJson(answer: Answer, text: string, hasJson: boolean): ResponseFormatError {
  const sent = answer.headers.get('content-type');
  const type = sent === null ? 'no content type' : answer.request.redact.text(sent);
  // PHP prints a warning in front of what the service meant to send.
  if (hasJson) {
    return new ResponseFormatError(
      answer,
      `text stands before the JSON of its body (${type}), such as a PHP warning`,
    );
  }
  // A proxy or a maintenance page may have answered instead of the service, whose JSON is labelled or at least looks
  // like it.
  const isPage = text.startsWith('<');
  const isCut = /\bjson\b/i.test(type) || /^[[{]/.test(text);
  // Content that was asked for as a file, such as text/csv.
  const isOther = sent !== null && !isCut && !/html|xml|text\/plain/i.test(sent);
  let problem = `its body (${type}) is not valid JSON; it may have been cut short`;
  if (isOther) problem = `its body (${type}) is not JSON; to read it yourself, use .asResponse()`;
  if (isPage)
    problem = `its body is a page of HTML or XML (${type}), not JSON: check what answers at the base URL`;
  return new ResponseFormatError(answer, problem, isCut && !isPage ? 'done' : 'unknown');
}

/** The data of a body; where there is none, what should be there. */
function find(spec: SingleSpec, body: unknown): Found | string {
  switch (spec.kind) {
    case 'record':
      return findRecord(body, spec.key) ?? 'a record';
    case 'link':
      return findLink(body) ?? 'a link, as a string or under `url` or `link`';
    case 'envelope':
      return findEnvelope(body) ?? 'an envelope with `data`';
    case 'acknowledgement':
      return readAcknowledgement(body);
    case 'nothing':
      return { path: [], value: undefined };
    case 'any':
      return { path: [], value: body ?? null };
  }
}

/** Why one value was rejected, without secrets. */
interface Drift {
  readonly issues: readonly Issue[];
  /** For logs and hooks: messages of a caller's schema may quote values, so these have only paths and codes. */
  readonly told: readonly Issue[];
}

/** Is told why the schema number `step` of a plan rejects a value. */
type Refuse = (issues: readonly SchemaIssue[], step: number) => void;

function toDrift(
  { request }: Answer,
  given: readonly SchemaIssue[],
  step: number,
  path: readonly PropertyKey[] = [],
): Drift {
  const { redact, operation } = request;
  const named = (issue: Issue) => ({ ...issue, path: redact.name(issue.path) });
  const issues = toIssues(given, path).map(named);
  // The messages of our own schemas contain nothing secret, and a password may equal one of their words.
  if (step === 0 && operation.response.kind !== 'any') return { issues, told: issues };
  const safe = issues.map((issue) => ({ ...issue, message: redact.text(issue.message, LONGEST_MESSAGE) }));
  return { issues: safe, told: toCodes(given, path).map(named) };
}

/**
 * Runs a value through the schemas of its plan, from the `first` on; returns the original when one of them rejects it. A
 * promise only where a schema gives one: awaiting every item of a long page would cost more than checking it.
 */
function check(answer: Answer, original: unknown, refuse: Refuse, first = 0, given = original): unknown {
  const { schemas } = answer.request.plan;
  let value = given;
  try {
    for (let step = first; step < schemas.length; step += 1) {
      const result = schemas[step]?.['~standard'].validate(value) as SchemaResult<unknown>;
      // It may be a promise of another realm or a library.
      if ('then' in result) return checkLater(answer, original, refuse, step, result as never);
      if (result.issues !== undefined) {
        refuse(result.issues, step);
        return original;
      }
      value = result.value;
    }
    return value;
  } catch (cause) {
    throw asBroken(answer, cause);
  }
}

async function checkLater(
  answer: Answer,
  original: unknown,
  refuse: Refuse,
  step: number,
  pending: PromiseLike<SchemaResult<unknown>>,
): Promise<unknown> {
  const { signal } = answer.request.plan.rules;
  try {
    const result = await withDeadline(signal, Number.POSITIVE_INFINITY, async () => pending);
    if (result.issues === undefined) return await check(answer, original, refuse, step + 1, result.value);
    refuse(result.issues, step);
    return original;
  } catch (cause) {
    throw signal?.aborted ? signal.reason : asBroken(answer, cause);
  }
}

function asBroken(answer: Answer, cause: unknown): ResponseValidationError {
  const issue = { path: '', message: 'the schema given in the option `schemas` or `schema` failed' };
  const options = { cause: copyError(cause, answer.request.redact.text) };
  return new ResponseValidationError(answer, [issue], [issue], '', options);
}

/** Reports an answer whose shape differs from the expected one. */
function settle(answer: Answer, drift: readonly Drift[], body: unknown, isUsable = false): void {
  const told = drift.flatMap((each) => each.told);
  if (answer.request.plan.rules.validation === 'strict' && !isUsable) {
    const issues = drift.flatMap((each) => each.issues);
    const advice = " Use `validation: 'report'` to log such answers instead of throwing.";
    const remark = `The body is ${describeShape(body, answer.request.redact)}.${advice}`;
    throw new ResponseValidationError(answer, issues, told, remark);
  }
  answer.notify.onSchemaDrift?.(answer.request, { issues: told });
}

/** Returns what cannot be read again, whatever else is wrong with the value; `undefined` for anything else. */
function rescue(spec: SingleSpec, value: unknown): unknown {
  const essential = spec.kind === 'record' ? spec.essential : undefined;
  // Our own schemas are synchronous.
  const result = essential?.['~standard'].validate(value) as { readonly value?: unknown } | undefined;
  return result?.value;
}

/** Without a recognisable answer there is nothing to return, in any mode. */
function unexpectedShape(answer: Answer, body: unknown, expected: string): ResponseValidationError {
  const issue = { path: '', message: `should be ${expected}` };
  const remark = `The body is ${describeShape(body, answer.request.redact)}.`;
  return new ResponseValidationError(answer, [issue], [issue], remark);
}

const MOST_KEYS = 12;
const LONGEST_KEY = 60;

/** The kind of a value and, for an object, its keys; never the values, which may be personal. */
function describeShape(value: unknown, redact: Redact, depth = 2): string {
  if (value === undefined) return 'empty';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (!isObject(value)) return `a ${typeof value}`;
  const keys = Object.keys(value).map((key) => redact.name(key).slice(0, LONGEST_KEY));
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, MOST_KEYS).join(', ') + (keys.length > MOST_KEYS ? ', …' : '');
  const inner = value['data'];
  const isShown = inner !== undefined && depth > 0;
  return `an object with the keys ${shown}${isShown ? ` (data: ${describeShape(inner, redact, depth - 1)})` : ''}`;
}

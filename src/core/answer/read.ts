// Reads an answer into the value that the caller gets, and reports it if its shape differs.

import {
  type Issue,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  toCodes,
  toIssues,
} from '../../util/standard-schema.ts';
import { unlessAborted } from '../attempt/deadline.ts';
import type { Call } from '../call.ts';
import { type ExamServiceError, isExamServiceError } from '../errors/base.ts';
import { ResponseFormatError } from '../errors/response-format-error.ts';
import { ResponseValidationError } from '../errors/response-validation-error.ts';
import type { ResponseSpec, SingleSpec } from '../operation.ts';
import type { PageInfo } from '../pages/page-info.ts';
import { safeCause, safeMessage, safeName } from '../redact/safe.ts';
import type { Answer } from './answer.ts';
import { describeShape } from './describe.ts';
import { readErrorBody } from './error-body.ts';
import {
  type Found,
  findEnvelope,
  findLink,
  findList,
  findRecord,
  isRefusal,
  readAcknowledgement,
} from './find.ts';

/** A list after reading: the checked items, the raw items, and what the body says about its pages. */
export interface ReadList<Item> {
  readonly data: readonly Item[];
  readonly items: readonly unknown[];
  readonly info: PageInfo;
}

/** Longest part of the service's message that is quoted in an error, in characters. */
const LONGEST_SENTENCE = 500;

const expectations = {
  record: 'a record',
  link: 'a link, as a string or under `url` or `link`',
  envelope: 'an envelope with `data`',
  acknowledgement: 'an acknowledgement',
  nothing: 'nothing',
  any: 'any JSON',
} as const;

/** Reads the answer of an operation that returns one value. */
export async function readValue<Output>(answer: Answer): Promise<Output> {
  const spec = answer.call.descriptor.response as SingleSpec;
  const body = parseBody(spec, answer);
  const found = find(spec, body);
  if (found === null) throw unexpectedShape(answer, body, expectations[spec.kind]);
  const drift: Drift[] = [];
  const refuse = (issues: readonly SchemaIssue[], isOwn: boolean) =>
    drift.push(toDrift(issues, isOwn, found.path));
  const value = await check(answer, schemasOf(answer.call), found.value, refuse);
  if (drift.length === 0) return value as Output;
  const rescued = rescue(spec, found.value);
  settle(answer, drift, body, rescued !== undefined);
  return (rescued ?? value) as Output;
}

/** Reads the answer of an operation that returns a list. */
export async function readList<Item>(answer: Answer): Promise<ReadList<Item>> {
  const { call } = answer;
  const body = parseBody(call.descriptor.response, answer);
  const found = findList(body);
  if (found === null) throw unexpectedShape(answer, body, 'a list');
  const schemas = schemasOf(call);
  const drift: Drift[] = [];
  const data: unknown[] = [];
  const refuse = (issues: readonly SchemaIssue[], isOwn: boolean) =>
    drift.push(toDrift(issues, isOwn, [...found.path, data.length]));
  for (const item of found.items) {
    const checked = check(answer, schemas, item, refuse);
    // Most schemas are synchronous; awaiting every item of a long page would cost more than checking it.
    data.push(checked instanceof Promise ? await checked : checked);
  }
  if (drift.length > 0) settle(answer, drift, body);
  return { data: data as Item[], items: found.items, info: found.info };
}

/** @throws {ResponseFormatError} when the body is not JSON, is empty or says that the operation failed */
function parseBody({ kind }: ResponseSpec, answer: Answer): unknown {
  const text = answer.body.trim();
  if (text === '') {
    if (kind === 'acknowledgement' || kind === 'nothing' || kind === 'any') return undefined;
    throw new ResponseFormatError(answer, 'its body is empty');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The platform's message quotes the body, which may be personal, so it is not kept as a cause.
    if (kind === 'link' && /^https?:\/\/\S+$/i.test(text)) return text;
    throw notJson(answer, text);
  }
  if (kind !== 'any' && isRefusal(body)) {
    const { message } = readErrorBody(text);
    const said = answer.call.redact
      .text(message ?? '')
      .slice(0, LONGEST_SENTENCE)
      .replace(/\.+$/, '');
    const why = said === '' ? '' : `: ${said}`;
    throw new ResponseFormatError(answer, `its body says that the operation failed${why}`, 'refused');
  }
  return body;
}

function notJson(answer: Answer, text: string): ResponseFormatError {
  const sent = answer.response.headers.get('content-type');
  const type = sent === null ? 'no content type' : answer.call.redact.text(sent);
  // A proxy or a maintenance page may have answered instead of the service, whose JSON is labelled or at least looks
  // like it.
  const isPage = text.startsWith('<');
  const isCut = /\bjson\b/i.test(type) || /^[[{]/.test(text);
  const outcome = isCut && !isPage ? 'done' : 'unknown';
  const problem = isPage
    ? `its body is a page of HTML or XML (${type}), not JSON`
    : `its body (${type}) is not valid JSON; it may have been cut short`;
  return new ResponseFormatError(answer, problem, outcome);
}

function find(spec: SingleSpec, body: unknown): Found | null {
  switch (spec.kind) {
    case 'record':
      return findRecord(body, spec.key);
    case 'link':
      return findLink(body);
    case 'envelope':
      return findEnvelope(body);
    case 'acknowledgement':
      return readAcknowledgement(body);
    case 'nothing':
      return { path: [], value: undefined };
    case 'any':
      return { path: [], value: body ?? null };
  }
}

/** Why one value was rejected; `isOwn` unless a schema of the caller rejected it. */
interface Drift {
  readonly isOwn: boolean;
  readonly issues: readonly Issue[];
  /** For logs and hooks. */
  readonly told: readonly Issue[];
}

/** Messages of a caller's schema may quote values, so logs and hooks get only paths and codes. */
export function toDrift(
  given: readonly SchemaIssue[],
  isOwn: boolean,
  path: readonly PropertyKey[] = [],
): Drift {
  const issues = toIssues(given, path);
  return { isOwn, issues, told: isOwn ? issues : toCodes(given, path) };
}

type Refuse = (issues: readonly SchemaIssue[], isOwn: boolean) => void;

/** The schemas a value must pass: the documented form, then the caller's own schema. */
function schemasOf({ config, descriptor, options }: Call): StandardSchema[] {
  if (options.validation === 'off') return [];
  const { response } = descriptor;
  const schemas: StandardSchema[] = [];
  if ('schema' in response && response.schema !== undefined) schemas.push(response.schema);
  const further = 'refinedBy' in response && response.refinedBy && config.schemas[response.refinedBy];
  if (further) schemas.push(further);
  return schemas;
}

/** Runs a value through its schemas in order; returns it unchanged when one of them rejects it. */
function check(
  answer: Answer,
  schemas: readonly StandardSchema[],
  value: unknown,
  refuse: Refuse,
  step = 0,
  original = value,
): unknown {
  const schema = schemas[step];
  if (schema === undefined) return value;
  const isOwn = step === 0 && answer.call.descriptor.response.kind !== 'any';
  const proceed = (result: SchemaResult<unknown>): unknown => {
    if (result.issues === undefined) return check(answer, schemas, result.value, refuse, step + 1, original);
    refuse(result.issues, isOwn);
    return original;
  };
  try {
    const result = schema['~standard'].validate(value);
    if (!('then' in result)) return proceed(result);
    const { signal } = answer.call.options;
    return unlessAborted(signal, async () => {
      try {
        return await proceed(await result);
      } catch (cause) {
        throw asBroken(answer, cause);
      }
    });
  } catch (cause) {
    throw asBroken(answer, cause);
  }
}

function asBroken(answer: Answer, cause: unknown): ExamServiceError {
  return isExamServiceError(cause) ? cause : broken(answer, cause);
}

function broken(answer: Answer, cause: unknown): ResponseValidationError {
  const issue = { path: '', message: 'the schema given in the option `schemas` or `schema` failed' };
  return new ResponseValidationError(answer, [issue], [issue], '', {
    cause: safeCause(cause, answer.call.redact),
  });
}

/** Reports an answer whose shape differs from the expected one. */
export function settle(answer: Answer, drift: readonly Drift[], body: unknown, isUsable = false): void {
  const { options, config, redact } = answer.call;
  const named = (issue: Issue) => ({ ...issue, path: safeName(issue.path, redact) });
  const told = drift.flatMap((each) => each.told.map(named));
  if (options.validation === 'strict' && !isUsable) {
    const issues = drift.flatMap((each) =>
      each.issues
        .map(named)
        // Our own schemas' messages contain nothing secret, and a password may equal one of their words.
        .map((issue) => (each.isOwn ? issue : { ...issue, message: safeMessage(issue.message, redact) })),
    );
    const advice = " Use `validation: 'report'` to log such answers instead of throwing.";
    throw new ResponseValidationError(
      answer,
      issues,
      told,
      `The body is ${describeShape(body, redact)}.${advice}`,
    );
  }
  config.observer.schemaDrift(answer.call, told);
}

/** Returns what cannot be read again, whatever else is wrong with the value; `undefined` for anything else. */
function rescue(spec: SingleSpec, value: unknown): unknown {
  const essential = spec.kind === 'record' ? spec.essential : undefined;
  // Our own schemas are synchronous.
  const result = essential?.['~standard'].validate(value) as SchemaResult<unknown> | undefined;
  return result?.issues === undefined ? result?.value : undefined;
}

/** Without a recognisable answer there is nothing to return, in any mode. */
function unexpectedShape(answer: Answer, body: unknown, expected: string): ResponseValidationError {
  const issue = { path: '', message: `should be ${expected}` };
  return new ResponseValidationError(
    answer,
    [issue],
    [issue],
    `The body is ${describeShape(body, answer.call.redact)}.`,
  );
}

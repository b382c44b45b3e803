import type { ResponseContext } from './errors/response-error.ts';
import { ResponseFormatError } from './errors/response-format-error.ts';
import { ResponseValidationError } from './errors/response-validation-error.ts';
import { describeShape, isObject } from './json.ts';
import type { Observer } from './observer.ts';
import type { ValidationMode } from './options.ts';
import type { PageInfo } from './page-info.ts';
import type { RecordSchemas } from './records.ts';
import { redactIssues } from './redact.ts';
import {
  type Found,
  findEnvelope,
  findLink,
  findList,
  findRecord,
  isRefusal,
  type ListSpec,
  type ResponseSpec,
  readAcknowledgement,
  type SingleSpec,
} from './response.ts';
import { type Issue, type StandardSchema, toIssues } from './standard-schema.ts';

/** How an answer is to be read, and where to report what is wrong with it. */
export interface Reading {
  readonly context: ResponseContext;
  readonly validation: ValidationMode;
  readonly schemas: RecordSchemas;
  readonly observer: Observer;
}

/** A list as it was read: the checked items, the items as they came, and what was said of the pages. */
export interface ReadList<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly items: ReadonlyArray<unknown>;
  readonly info: PageInfo;
}

const expectations = {
  record: 'a record',
  link: 'a link, as a text or under `url` or `link`',
  envelope: 'an envelope with `data`',
  acknowledgement: 'an acknowledgement',
  nothing: 'nothing',
  any: 'any JSON',
} as const;

/** Reads the answer of an operation that gives one value. */
export async function readSingle<Output>(spec: SingleSpec, reading: Reading): Promise<Output> {
  const body = parseBody(spec, reading.context);
  const found = find(spec, body);
  if (found === null) throw unexpectedShape(reading, body, expectations[spec.kind]);
  const schemas = [schemaOf(spec), spec.kind === 'record' ? refinement(spec, reading) : undefined];
  const issues: Issue[] = [];
  const value = await check(schemas, found, reading, issues);
  settle(reading, issues, body);
  return value as Output;
}

/** Reads the answer of an operation that gives a list. */
export async function readList<Item>(spec: ListSpec, reading: Reading): Promise<ReadList<Item>> {
  const body = parseBody(spec, reading.context);
  const found = findList(body);
  if (found === null) throw unexpectedShape(reading, body, 'a list');
  const schemas = [spec.schema, refinement(spec, reading)];
  const issues: Issue[] = [];
  const data: unknown[] = [];
  for (const [index, value] of found.items.entries()) {
    const checked = check(schemas, { path: [...found.path, index], value }, reading, issues);
    data.push(checked instanceof Promise ? await checked : checked);
  }
  settle(reading, issues, body);
  return { data: data as Item[], items: found.items, info: found.info };
}

function parseBody(spec: ResponseSpec, context: ResponseContext): unknown {
  const text = context.body.trim();
  const body = text === '' ? undefined : parseJson(spec, text, context);
  if (body === undefined && !['acknowledgement', 'nothing', 'any'].includes(spec.kind)) {
    throw new ResponseFormatError(context, 'its body is empty');
  }
  if (spec.kind !== 'any' && isRefusal(body)) {
    const message = isObject(body) && typeof body['message'] === 'string' ? `: ${body['message']}` : '';
    throw new ResponseFormatError(context, `its body says that the operation failed${message}`);
  }
  return body;
}

function parseJson(spec: ResponseSpec, text: string, context: ResponseContext): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The platform's message quotes the body, which may be personal, so it is not kept as a cause.
    if (spec.kind === 'link' && /^https?:\/\/\S+$/i.test(text)) return text;
    const type = context.headers.get('content-type') ?? 'no content type';
    if (text.startsWith('<'))
      throw new ResponseFormatError(context, `its body is a page of HTML or XML (${type}), not JSON`);
    throw new ResponseFormatError(
      context,
      `its body (${type}) is not valid JSON; it may have been cut short`,
    );
  }
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

function schemaOf(spec: SingleSpec): StandardSchema | undefined {
  return spec.kind === 'nothing' || spec.kind === 'acknowledgement' ? undefined : spec.schema;
}

function refinement(
  spec: { refinedBy?: keyof RecordSchemas },
  { schemas }: Reading,
): StandardSchema | undefined {
  return spec.refinedBy === undefined ? undefined : schemas[spec.refinedBy];
}

/** Runs a value through its schemas, one after the other; the value as it came when one refuses it. */
function check(
  schemas: ReadonlyArray<StandardSchema | undefined>,
  { path, value }: Found,
  { validation }: Reading,
  issues: Issue[],
): unknown {
  if (validation === 'off') return value;
  const step = (current: unknown, index: number): unknown => {
    const schema = schemas[index];
    if (schema === undefined) return index + 1 < schemas.length ? step(current, index + 1) : current;
    const proceed = (result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>) => {
      if (result.issues === undefined) return step(result.value, index + 1);
      issues.push(...toIssues(result.issues, path));
      return value;
    };
    const result = schema['~standard'].validate(current);
    // Most schemas answer at once; waiting for each item of a long page would cost more than checking it.
    return result instanceof Promise ? result.then(proceed) : proceed(result);
  };
  return step(value, 0);
}

function settle(
  { context, validation, observer }: Reading,
  issues: ReadonlyArray<Issue>,
  body: unknown,
): void {
  if (issues.length === 0) return;
  if (validation === 'strict') {
    const advice = " Use `validation: 'report'` to be told of such answers instead.";
    throw new ResponseValidationError(context, issues, describeShape(body), advice);
  }
  const { operation, redact } = context;
  observer.schemaDrift({ operation, issues: redactIssues(issues, redact) });
}

/** Without a recognisable answer there is nothing to return, in whatever mode. */
function unexpectedShape({ context }: Reading, body: unknown, expected: string): ResponseValidationError {
  return new ResponseValidationError(
    context,
    [{ path: '', message: `should be ${expected}` }],
    describeShape(body),
  );
}

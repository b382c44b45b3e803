import type { ResponseContext } from '../errors/response-error.ts';
import { ResponseFormatError } from '../errors/response-format-error.ts';
import { ResponseValidationError } from '../errors/response-validation-error.ts';
import { describeShape, isObject } from '../json.ts';
import type { Observer } from '../observer.ts';
import type { ValidationMode } from '../options.ts';
import type { PageInfo } from '../pages/page-info.ts';
import { redactIssues } from '../redact.ts';
import {
  type Issue,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  toIssues,
} from '../standard-schema.ts';
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
} from './find.ts';
import type { RecordSchemas } from './records.ts';

/** How an answer is to be read, and where to report what is wrong with it. */
export interface Reading {
  readonly context: ResponseContext;
  readonly validation: ValidationMode;
  readonly schemas: RecordSchemas;
  readonly observer: Observer;
}

/** A list as it was read: the checked items, the items as they came, and what was said of the pages. */
interface ReadList<Item> {
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
  const schemas = schemasOf(spec, reading);
  const issues: Issue[] = [];
  const value = await check(schemas, found.value, (refusal) => issues.push(...toIssues(refusal, found.path)));
  settle(reading, issues, body);
  return value as Output;
}

/** Reads the answer of an operation that gives a list. */
export async function readList<Item>(spec: ListSpec, reading: Reading): Promise<ReadList<Item>> {
  const body = parseBody(spec, reading.context);
  const found = findList(body);
  if (found === null) throw unexpectedShape(reading, body, 'a list');
  const schemas = schemasOf(spec, reading);
  const issues: Issue[] = [];
  const data: unknown[] = [];
  const refuse = (refusal: ReadonlyArray<SchemaIssue>) =>
    issues.push(...toIssues(refusal, [...found.path, data.length]));
  for (const item of found.items) {
    const checked = check(schemas, item, refuse);
    // Most schemas answer at once; waiting for each item of a long page would cost more than checking it.
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

/** What a value has to pass: the documented form, and the further description that the client was given. */
function schemasOf(spec: ResponseSpec, { validation, schemas }: Reading): StandardSchema[] {
  if (validation === 'off') return [];
  const documented = 'schema' in spec ? spec.schema : undefined;
  const further = 'refinedBy' in spec && spec.refinedBy ? schemas[spec.refinedBy] : undefined;
  return [documented, further].filter((schema) => schema !== undefined);
}

/** Runs a value through its schemas, one after the other; the value as it came when one refuses it. */
function check(
  schemas: ReadonlyArray<StandardSchema>,
  original: unknown,
  refuse: (issues: ReadonlyArray<SchemaIssue>) => void,
  { value }: { readonly value: unknown } = { value: original },
  step = 0,
): unknown {
  const schema = schemas[step];
  if (schema === undefined) return value;
  const proceed = (result: SchemaResult<unknown>) => {
    if (result.issues === undefined) return check(schemas, original, refuse, result, step + 1);
    refuse(result.issues);
    return original;
  };
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? result.then(proceed) : proceed(result);
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

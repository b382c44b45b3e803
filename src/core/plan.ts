// The first step of a call: its plan. Everything the caller passed is read and checked here, once, and becomes text, which
// nobody can change afterwards.

import { type Issue, type SchemaResult, type StandardSchema, toIssues } from '../util/standard-schema.ts';
import { RequestValidationError } from './errors/request-error.ts';
import type { ListSpec, Operation, OperationInput } from './operation.ts';
import type { CallRules } from './options/call-options.ts';
import type { Settings } from './options/settings.ts';

/** One call as it was made: what is sent, and under which rules. It never changes. */
export interface Plan {
  readonly operation: Operation;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** The query as text, without its question mark. */
  readonly query: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The full address, with the query. */
  readonly url: string;
  /** JSON; `undefined` for no body. */
  readonly body: string | undefined;
  readonly rules: CallRules;
  /** The schemas that the answer must pass, in order: the documented form, then the caller's own. */
  readonly schemas: readonly StandardSchema[];
}

/**
 * Checks the parameters of an operation against its rules and makes the plan.
 *
 * @throws {RequestValidationError} naming every field that breaks a rule
 */
export function makePlan(
  settings: Settings,
  operation: Operation,
  input: OperationInput,
  rules: CallRules,
): Plan {
  const issues: Issue[] = [];
  const path = readPart(operation, 'path', input, issues);
  const query = readPart(operation, 'query', input, issues);
  const body = readPart(operation, 'body', input, issues);
  if (issues.length > 0) throw new RequestValidationError(operation.id, issues);
  return freeze(settings, operation, rules, {
    // Each `{name}` of the template.
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(Object(path)[name])),
    query: toQuery(query),
    body: body === undefined ? undefined : toJson(operation.id, body),
  });
}

/** The plan of a call that was refused before it could be made, for the hooks that are told of it. */
export function planOfRefused(settings: Settings, operation: Operation): Plan {
  return freeze(settings, operation, settings.rules, { path: operation.path, query: '', body: undefined });
}

/** The same call for another page of its list. */
export function planPage(plan: Plan, page: number, signal: AbortSignal | undefined): Plan {
  const query = new URLSearchParams(plan.query);
  query.set('page', String(page));
  const target = `${plan.path}?${query}`;
  const base = plan.url.slice(0, plan.url.length - plan.target.length);
  const rules = Object.freeze({ ...plan.rules, signal });
  return Object.freeze({ ...plan, query: String(query), target, url: base + target, rules });
}

function freeze(
  { baseUrl, schemas }: Settings,
  operation: Operation,
  rules: CallRules,
  { path, query, body }: Pick<Plan, 'path' | 'query' | 'body'>,
): Plan {
  const target = query === '' ? path : `${path}?${query}`;
  const { schema, refinedBy } = operation.response as Partial<ListSpec>;
  return Object.freeze({
    operation,
    path,
    query,
    target,
    url: baseUrl + target,
    body,
    rules,
    schemas:
      rules.validation === 'off'
        ? []
        : [schema, refinedBy && schemas[refinedBy]].filter((given) => given !== undefined),
  });
}

/** One part of the request as its schema reads it; what breaks a rule is added to `issues`. */
function readPart(
  { request }: Operation,
  part: keyof OperationInput,
  input: OperationInput,
  issues: Issue[],
): unknown {
  const schema = request[part];
  if (schema === undefined) return undefined;
  // Request schemas are synchronous, although the type of Standard Schemas does not say so.
  const result = schema['~standard'].validate(input[part]) as SchemaResult<unknown>;
  if (result.issues === undefined) return result.value;
  issues.push(...toIssues(result.issues));
  return undefined;
}

/** A query as text. `undefined` parameters are omitted, and lists repeated. */
function toQuery(query: unknown): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(query))) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item));
    }
  }
  return parameters.toString();
}

/** @throws {RequestValidationError} for a body that cannot be serialized as JSON */
function toJson(operation: string, body: unknown): string {
  try {
    const json: string | undefined = JSON.stringify(body);
    if (json !== undefined) return json;
  } catch {
    // Not kept as a cause: the platform's message may show part of the body.
  }
  const message = 'cannot be serialized as JSON: it is or contains a cycle, a bigint or a function';
  throw new RequestValidationError(operation, [{ path: 'body', message }]);
}

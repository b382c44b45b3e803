// The first step of a call: its plan. Everything the caller passed is read and checked here, once, and becomes text, which
// nobody can change afterwards.

import { type Issue, type StandardSchema, toIssues } from '../util/standard-schema.ts';
import { readArgument } from './arguments.ts';
import { ConfigurationError } from './errors/base.ts';
import { type RequestFacts, RequestValidationError } from './errors/request-error.ts';
import type { ListSpec, Operation, OperationInput } from './operation.ts';
import { type CallOptions, type CallRules, mergeOptions } from './options/call-options.ts';
import type { Settings } from './options/client-settings.ts';

/** One call as it was made: what is sent, and under which rules. It never changes. */
export interface Plan {
  readonly operation: Operation;
  readonly baseUrl: string;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** The query as text, without its question mark. */
  readonly query: string;
  /** The full address, with the query. */
  readonly url: string;
  /** JSON; `undefined` for no body. */
  readonly body: string | undefined;
  readonly rules: CallRules;
  /** The options as the caller gave them. */
  readonly options: CallOptions;
  /** The schemas that the response must pass, in order: the documented form, then the caller's own. */
  readonly schemas: readonly StandardSchema[];
}

/** What is known of a call where its response is read. */
export interface CallFacts extends RequestFacts {
  readonly plan: Plan;
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
  options: CallOptions,
): Plan {
  const rules = mergeOptions(settings.rules, options);
  const issues: Issue[] = [];
  const path = readPart(operation, 'path', input, issues);
  const query = readPart(operation, 'query', input, issues);
  const body = readPart(operation, 'body', input, issues);
  if (issues.length > 0) throw new RequestValidationError(operation.id, issues);
  const { schema, extraSchema } = operation.response as Partial<ListSpec>;
  const schemas = [schema?.(), extraSchema && settings.schemas[extraSchema]];
  return freeze({
    operation,
    rules,
    options,
    baseUrl: settings.baseUrl,
    // Each `{name}` of the template.
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(Object(path)[name])),
    query: toQuery({ ...Object(query), ...extraQuery(operation, query, options) }),
    body: JSON.stringify(body),
    schemas: rules.validation === 'off' ? [] : schemas.filter((given) => given !== undefined),
  });
}

/** The same call for another page of its list. */
export function planPage(plan: Plan, page: number, signal: AbortSignal | undefined): Plan {
  const query = new URLSearchParams(plan.query);
  query.set('page', String(page));
  return freeze({ ...plan, query: String(query), rules: { ...plan.rules, signal } });
}

function freeze(parts: Omit<Plan, 'url'>): Plan {
  const { baseUrl, path, query } = parts;
  return Object.freeze({ ...parts, url: baseUrl + path + (query && `?${query}`) });
}

/** One part of the request as its schema reads it; what breaks a rule is added to `issues`. */
function readPart(
  { request }: Operation,
  part: keyof OperationInput,
  input: OperationInput,
  issues: Issue[],
): unknown {
  const schema = request[part]?.();
  if (schema === undefined) return undefined;
  const result = readArgument(schema, input[part]);
  if (result.issues === undefined) return result.value;
  issues.push(...toIssues(result.issues));
  return undefined;
}

/** @throws {ConfigurationError} for an extra parameter that belongs to the method itself */
function extraQuery({ id, request }: Operation, query: unknown, options: CallOptions): object {
  const { query: given = {} } = options;
  const names = request.query?.().names ?? Object.keys(Object(query));
  const taken = Object.keys(given).find((name) => names.includes(name));
  if (taken === undefined) return given;
  throw new ConfigurationError(`\`query\` must not contain \`${taken}\`, which ${id} takes itself.`);
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

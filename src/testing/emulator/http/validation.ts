// Reads and checks the bodies, queries and ids of requests, and refuses what is wrong as Laravel does.

import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { isObject } from '../../../util/json.ts';
import { invalidInput, Refusal } from '../domain/refusal.ts';

type Schema<T> = z.ZodMiniType<T>;
type Issue = z.core.$ZodIssue;

/**
 * The checked fields of a JSON body. A missing body has no fields; neither has one whose Content-Type is not JSON:
 * Laravel's `Request::isJson()` looks for `/json` or `+json`, and otherwise reads form fields.
 *
 * @throws {Refusal} when a field is wrong, or the body is not an object: 422; when it is not JSON in UTF-8: 400
 */
export async function readBody<T>(c: Context, schema: Schema<T>): Promise<T> {
  const isJson = /\/json|\+json/.test(c.req.header('content-type') ?? '');
  const body = isJson ? parse(await c.req.arrayBuffer()) : {};
  if (!isObject(body)) throw invalidInput({ body: ['The body must be an object.'] });
  return checked(schema, body);
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, 'Invalid JSON.');
  }
}

/**
 * The checked query. A parameter without a value counts as absent.
 *
 * @throws {Refusal} when a parameter is wrong: 422
 */
export function readQuery<T>(c: Context, schema: Schema<T>): T {
  return checked(
    schema,
    Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== '')),
  );
}

/**
 * The `id` in the path.
 *
 * @throws {Refusal} when it is not a whole number: 404, as no record has such an id
 */
export function readId(c: Context): number {
  const text = c.req.param('id') ?? '';
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id))
    throw new Refusal(404, `No record has the id ${text}.`);
  return id;
}

/**
 * The checked input.
 *
 * @throws {Refusal} when a field is wrong: 422, with every such field
 */
export function checked<T>(schema: Schema<T>, input: unknown): T {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const errors: Record<string, string[]> = {};
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.');
    const list = errors[field] ?? [];
    errors[field] = [...list, wording(issue).replace(':attribute', field.replaceAll('_', ' '))];
  }
  throw invalidInput(errors);
}

/** The message, in the words of Laravel's validator. */
function wording(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'The :attribute field is required.'
        : `The :attribute must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      if (issue.origin === 'array') return 'The :attribute field is required.';
      return `The :attribute must be at least ${issue.minimum}.`;
    case 'too_big':
      if (issue.origin === 'string')
        return `The :attribute may not be greater than ${issue.maximum} characters.`;
      return `The :attribute may not be greater than ${issue.maximum}.`;
    default:
      return issue.message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'an integer',
  object: 'an array',
  string: 'a string',
};

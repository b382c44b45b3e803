// Reads what a request brings, from wherever it brings it: the one entrance of every value into the emulator.

import type { Context } from 'hono';
import { isObject } from '../../../../util/json.ts';
import { parseJson } from './json-body.ts';
import { normalize } from './normalize.ts';
import { type InputFields, parseNames } from './php-names.ts';

/**
 * The fields of the query and of the body, normalized. As in Laravel, a body is JSON where its type contains `/json` or
 * `+json`, and otherwise has fields only if it is a form; JSON that is not an object has none.
 *
 * @throws {Rejection} when the body is not JSON in UTF-8: 400
 */
export async function readInput(c: Context): Promise<InputFields> {
  const query = parseNames(new URL(c.req.url).search);
  return normalized({ ...query, ...(await bodyFields(c)) });
}

function normalized(fields: InputFields): InputFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, normalize(value, name)]));
}

/**
 * The body. A GET or HEAD has none, and none is read: Node's adapter would make a `Request` for it, whose class may be
 * that of a test environment.
 */
export async function readBody({ req }: Context): Promise<ArrayBuffer> {
  return req.method === 'GET' || req.method === 'HEAD' ? new ArrayBuffer(0) : req.arrayBuffer();
}

async function bodyFields(c: Context): Promise<InputFields> {
  const bytes = await readBody(c);
  if (bytes.byteLength === 0) return {};
  const type = c.req.header('content-type') ?? '';
  if (/\/json|\+json/.test(type)) {
    const body = parseJson(bytes);
    return isObject(body) ? body : {};
  }
  if (type.startsWith('application/x-www-form-urlencoded')) return parseNames(await c.req.text());
  return {};
}

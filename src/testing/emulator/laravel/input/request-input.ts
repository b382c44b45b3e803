// Reads what a request brings, from wherever it brings it: the one entrance of every value into the emulator.

import type { Context } from 'hono';
import { isObject } from '../../../../util/json.ts';
import { tryOrUndefined } from '../../../../util/try-or-undefined.ts';
import { rejections } from '../../domain/rejection.ts';
import { normalize } from './normalize.ts';

/** What a request brought: texts of a form or a query, or the values of a JSON body. */
export type InputFields = Readonly<Record<string, unknown>>;

/**
 * The fields of the query and of the body, normalized. As in Laravel, a body is JSON where its type contains `/json` or
 * `+json`, and otherwise has fields only if it is a form; JSON that is not an object has none.
 *
 * @throws {Rejection} when the body is not JSON in UTF-8: 400
 */
export async function readInput(c: Context): Promise<InputFields> {
  const fields = { ...formFields(new URL(c.req.url).search), ...(await bodyFields(c)) };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, normalize(value, name)]));
}

/**
 * The body. A GET or HEAD has none, and none is read: Node's adapter would make a `Request` for it, whose class may be
 * that of a test environment.
 */
export async function readBody({ req }: Context): Promise<ArrayBuffer> {
  return req.method === 'GET' || req.method === 'HEAD' ? new ArrayBuffer(0) : req.arrayBuffer();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function bodyFields(c: Context): Promise<InputFields> {
  const bytes = await readBody(c);
  if (bytes.byteLength === 0) return {};
  const type = c.req.header('content-type') ?? '';
  if (/\/json|\+json/.test(type)) {
    const body = tryOrUndefined(() => JSON.parse(utf8.decode(bytes)));
    if (body === undefined) throw rejections.invalidJson();
    return isObject(body) ? body : {};
  }
  if (type.startsWith('application/x-www-form-urlencoded')) return formFields(await c.req.text());
  return {};
}

/** The fields of `a=1&b[]=2&b[]=3`: the last text of a name, and all of one that ends in brackets. */
function formFields(text: string): InputFields {
  const given = new URLSearchParams(text);
  const names = [...new Set(given.keys())];
  return Object.fromEntries(
    names.map((name) =>
      name.endsWith('[]') ? [name.slice(0, -2), given.getAll(name)] : [name, given.getAll(name).at(-1)],
    ),
  );
}

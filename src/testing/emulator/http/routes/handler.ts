// What the handlers of the emulated operations have in common.

import type { Context } from 'hono';
import { readInput } from '../../laravel/input/request-input.ts';
import type { Style } from '../../laravel/styles/styles.ts';
import { checked, type Form } from '../../laravel/validation/validate.ts';
import type { RoutedName } from '../../service/operations.ts';

/** Responds to a request to an operation. Throws a `Rejection` to decline. */
export type Handler = (c: Context) => Response | Promise<Response>;

/** The handlers of one group of operations, of several, or of all: the compiler checks that none is missing. */
export type Handlers<Group extends string = string> = Readonly<
  Record<Extract<RoutedName, `${Group}.${string}`>, Handler>
>;

/**
 * The values of a request that keeps the rules of the operation.
 *
 * @throws {Rejection} 422 with every wrong field; 400 when the body is not JSON
 */
export async function inputOf<T>(c: Context, form: Form<T>): Promise<T> {
  return checked(form, await readInput(c));
}

/** The `id` in the path, as written. */
export function idIn(c: Context): string {
  return c.req.param('id') ?? '';
}

/** Every response is JSON. */
export function jsonResponse(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** A page of a list, in a style. */
export function listResponse<Item>(
  c: Context,
  style: Style,
  { page, perPage }: { readonly page: number; readonly perPage: number },
  { records, row }: { records: readonly Item[]; row: (record: Item) => unknown },
): Response {
  const { origin, pathname } = new URL(c.req.url);
  const rows = records.slice((page - 1) * perPage, page * perPage).map(row);
  const total = records.length;
  return jsonResponse(style.list({ rows, total, page, perPage, url: `${origin}${pathname}` }));
}

// What the handlers of the emulated operations have in common.

import type { Context } from 'hono';
import type { Except } from 'type-fest';
import { requireExam } from '../../domain/assignments.ts';
import { requireEndpoint } from '../../domain/endpoints.ts';
import { requireParticipant } from '../../domain/participants.ts';
import type { World } from '../../domain/world.ts';
import { readInput } from '../../laravel/input/request-input.ts';
import type { ListPage } from '../../laravel/styles/pages.ts';
import type { Style } from '../../laravel/styles/style.ts';
import { checked, type Form } from '../../laravel/validation/validate.ts';
import type { Operation, OperationName } from '../../service/operations.ts';

/** Responds to a request to an operation. Throws a `Rejection` to decline. */
export type Handler = (c: Context) => Response | Promise<Response>;

/** The handlers of one group of operations, of several, or of all: the compiler checks that none is missing. */
export type Handlers<Group extends string = string> = Readonly<
  Record<Extract<OperationName, `${Group}.${string}`>, Handler>
>;

/**
 * The values of a request that keeps the rules of the operation.
 *
 * @throws {Rejection} 422 with every wrong field; 400 when the body is not JSON
 */
export async function inputOf<T>(c: Context, form: Form<T>, { settings }: World): Promise<T> {
  return checked(form, await readInput(c), settings.framework);
}

/** The `id` in the path, as written. */
export function idIn(c: Context): string {
  return c.req.param('id') ?? '';
}

/**
 * Finds the record in the path, as Laravel's route model binding does before a handler.
 *
 * @throws {Rejection} when there is none: 404
 */
export function requireRecord(world: World, { path }: Operation, c: Context): void {
  if (!path.includes(':id')) return;
  if (path.startsWith('/participants/')) requireParticipant(world, idIn(c));
  else if (path.startsWith('/exams/')) requireExam(world, idIn(c));
  else requireEndpoint(world, idIn(c));
}

/** Every response is JSON. */
export function jsonResponse(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** A page of a list, in a style. */
export function listResponse(c: Context, style: Style, slice: Except<ListPage, 'url'>): Response {
  const { origin, pathname } = new URL(c.req.url);
  const page = { ...slice, url: `${origin}${pathname}` };
  return Response.json(style.list(page), { headers: style.headers?.(page) ?? {} });
}

import type { Context } from 'hono';
import type { Except } from 'type-fest';
import type { DeliveryEngine } from '../deliveries/engine.ts';
import type { World } from '../domain/world.ts';
import type { OperationName } from '../operations.ts';
import type { ListPage } from '../styles/pages.ts';
import type { Style } from '../styles/style.ts';

/** What answers a request to an operation. It throws a `Refusal` to decline. */
export type Handler = (c: Context) => Response | Promise<Response>;

/** The handlers of a group of operations, of several, or of all: the compiler sees to it that none is forgotten. */
export type Handlers<Group extends string = string> = Readonly<
  Record<Extract<OperationName, `${Group}.${string}`>, Handler>
>;

/** What handlers work with. */
export interface ServiceWorld extends World {
  readonly deliveries: DeliveryEngine;
}

/** Every answer is JSON (service's API, introduction). */
export function answer(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** A page of a list, in a style. */
export function answerList(c: Context, style: Style, slice: Except<ListPage, 'url'>): Response {
  const { origin, pathname } = new URL(c.req.url);
  const page = { ...slice, url: `${origin}${pathname}` };
  return Response.json(style.list(page), { headers: style.headers?.(page) ?? {} });
}

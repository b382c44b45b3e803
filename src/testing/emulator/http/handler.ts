import type { Context } from 'hono';
import type { DeliveryEngine } from '../deliveries/engine.ts';
import type { World } from '../domain/world.ts';
import type { OperationName } from '../operations.ts';

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

/** Every answer is JSON (interface document, introduction). */
export function answer(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** The address of a request, without its query. */
export function listUrl(c: Context): string {
  const { origin, pathname } = new URL(c.req.url);
  return `${origin}${pathname}`;
}

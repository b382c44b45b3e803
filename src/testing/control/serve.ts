// The control interface over HTTP: changes an emulator from outside, in any language.

import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { messageOf } from '../../util/errors.ts';
import { parseJson } from '../../util/json.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { describeField, fieldsOf } from '../schema/description.ts';
import { dataRoutes } from './data-routes.ts';
import { CONTROL_PREFIX, type ControlRoute, type RouteResult } from './route.ts';
import { serviceRoutes } from './service-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** The whole control interface. The forms of the console page use it too. */
export const controlRoutes: readonly ControlRoute[] = [...dataRoutes, ...webhookRoutes, ...serviceRoutes];

/** Serves the control interface. The caller keeps other web pages out. */
export function serveControl(app: Hono, emulator: Emulator): void {
  for (const { method, path, input, run } of controlRoutes) {
    app.on(method, CONTROL_PREFIX + path, async (c) => {
      try {
        return respond(c, await run(emulator, await sent(c, input)));
      } catch (error) {
        return reject(c, 422, messageOf(error));
      }
    });
  }
  app.all(`${CONTROL_PREFIX}/*`, (c) => {
    const known = controlRoutes.map(({ method, path }) => `${method} ${CONTROL_PREFIX}${path}`);
    return reject(c, 404, `There is no ${c.req.method} ${c.req.path}. Available: ${known.join(', ')}.`);
  });
}

/** The input: JSON, also as the `file` of a form, or the fields of a form or a query. */
async function sent(c: Context, input: z.ZodMiniType): Promise<unknown> {
  if (c.req.method === 'GET') return typed(c.req.query(), input);
  if (/^(application\/x-www-form-urlencoded|multipart)/.test(c.req.header('content-type') ?? '')) {
    const fields = await c.req.parseBody({ all: true });
    const { file } = fields;
    return file instanceof File ? parsed(await file.text(), 'file') : typed(fields, input);
  }
  const text = await c.req.text();
  return text === '' ? {} : parsed(text, 'body');
}

function parsed(text: string, what: 'file' | 'body'): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new TypeError(`The ${what} must be JSON.`);
  return json;
}

/** The fields of a form or a query as JSON would have them, without empty ones. What has no meaning stays, to be rejected. */
function typed(given: Readonly<Record<string, unknown>>, input: z.ZodMiniType): Record<string, unknown> {
  const known = fieldsOf(input);
  const fields = Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) return [[name, value]];
    if (value === '') return [];
    const readings = readingsOf(value, describeField(field).type === 'json');
    const taken = readings.findIndex((reading) => z.safeParse(field, reading).success);
    return [[name, readings[Math.max(0, taken)]]];
  });
  return Object.fromEntries(fields);
}

/** What the value of a field may mean: a text (of two the last, as after a checkbox), a list of texts, or JSON. */
function readingsOf(value: unknown, isJson: boolean): unknown[] {
  const all = [value].flat();
  const last = all.at(-1);
  const json = parseJson(String(last));
  const read = json === undefined ? last : json;
  return isJson ? [read] : [last, all, read];
}

function respond(c: Context, { message, data = null }: RouteResult): Response {
  const accept = c.req.header('accept') ?? '';
  // Without JavaScript, the browser has left the page and is sent back to it.
  if (accept.includes('text/html')) return c.redirect('/', 303);
  return accept === 'text/plain'
    ? c.text(message)
    : c.body(JSON.stringify({ message, data }), 200, JSON_TYPE);
}

function reject(c: Context, status: 404 | 422, message: string): Response {
  return c.req.header('accept') === 'text/plain' ? c.text(message, status) : c.json({ message }, status);
}

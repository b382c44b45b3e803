// The emulated service over HTTP: authenticates, routes, responds to and logs every request.

import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Except, Writable } from 'type-fest';
import { Rejection, rejections } from '../domain/rejection.ts';
import type { World } from '../domain/world.ts';
import type { Fault } from '../faults/fault.ts';
import { strike } from '../faults/strike.ts';
import { readBody } from '../laravel/input/request-input.ts';
import { envelope, styles } from '../laravel/styles/styles.ts';
import {
  API_PREFIX,
  type EmulatorOperationName,
  methodOf,
  type Operation,
  operations,
} from '../service/operations.ts';
import { authenticate } from './authentication.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Log, type ReceivedRequest, startOf } from './request-log.ts';
import { examParticipantHandlers } from './routes/exam-participants.ts';
import { examHandlers } from './routes/exams.ts';
import { type Handlers, jsonResponse } from './routes/handler.ts';
import { participantHandlers } from './routes/participants.ts';
import { webhookHandlers } from './routes/webhooks.ts';

interface AppDependencies {
  readonly requests: Log<ReceivedRequest>;
  readonly rateLimit: RateLimit;
  readonly takeFault: (operation: EmulatorOperationName) => Fault | undefined;
  readonly clientActive: () => boolean;
  /** Called when a request has its response, or will never have one. */
  readonly onResponse: (request: ReceivedRequest) => void;
}

/** A request without a response so far. */
type Entry = Writable<ReceivedRequest, 'status' | 'response' | 'fault'>;

/** The service over HTTP: from request to response. */
export function createApp(world: World, dependencies: AppDependencies): Hono {
  const { settings } = world;
  const { requests, rateLimit, takeFault, clientActive, onResponse } = dependencies;
  const handlers: Handlers = {
    ...participantHandlers(world),
    ...examParticipantHandlers(world),
    ...examHandlers(world),
    ...webhookHandlers(world),
  };

  /** The response of the service, with the headers of its limit. */
  async function respond(c: Context, operation: Operation): Promise<Response> {
    const { exceeded, headers } = rateLimit.take();
    const response = exceeded ? reject(rejections.tooManyRequests(), operation) : await handle(c, operation);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }

  /** A rejection is a response; any other exception is a bug in the emulator, and is shown as one. */
  async function handle(c: Context, operation: Operation): Promise<Response> {
    try {
      authenticate(c.req.raw, operation, { apiKey: settings.apiKey, clientActive: clientActive() });
      return await handlers[operation.name](c);
    } catch (error) {
      if (error instanceof Rejection) return reject(error, operation);
      throw error;
    }
  }

  /** The webhook operations have the documented envelope. */
  function reject({ status, message, errors }: Rejection, operation?: Operation): Response {
    const style = operation?.credential === 'bearer' ? envelope : styles[settings.style];
    return jsonResponse(style.rejection(message, errors), status);
  }

  async function serve(
    c: Context,
    operation: Operation | null,
    work: () => Promise<Response>,
  ): Promise<Response> {
    const received = await describe(c, operation, settings.clock.now());
    const entry: Entry = { id: requests.nextId, ...received, status: null, fault: null, response: null };
    requests.add(entry);
    const fault = received.operation === null ? undefined : takeFault(received.operation);
    entry.fault = fault ?? null;
    try {
      const response =
        fault === undefined
          ? await work()
          : await strike(fault, work, { clock: settings.clock, signal: c.req.raw.signal });
      entry.status = response.status;
      // Reading ahead of the client would consume the half that it should receive before the connection breaks.
      if (fault?.effect !== 'reset-body') entry.response = startOf(await response.clone().arrayBuffer());
      return response;
    } finally {
      requests.measure(entry);
      onResponse(entry);
    }
  }

  async function unmatched({ req: { method, path } }: Context): Promise<Response> {
    const route = path.replace(/^\/|\/$/g, '');
    const allowed = methodsAt(path).join(', ');
    if (allowed === '') return reject(rejections.noRoute(route));
    const response = reject(rejections.methodNotAllowed(method, route, allowed));
    response.headers.set('allow', allowed);
    return response;
  }

  const app = new Hono({ strict: false });
  app.use(cors());
  for (const operation of operations) {
    app.on([...operation.methods], API_PREFIX + operation.path, (c) =>
      serve(c, operation, () => respond(c, operation)),
    );
  }
  app.notFound((c) => serve(c, null, () => unmatched(c)));
  app.onError((error) => {
    throw error;
  });
  return app;
}

async function describe(
  c: Context,
  operation: Operation | null,
  now: number,
): Promise<Except<ReceivedRequest, 'id' | 'status' | 'fault' | 'response'>> {
  // As bytes first: once stored as a string, a body no longer shows that it was not UTF-8.
  const body = new TextDecoder().decode(await readBody(c));
  return {
    operation: operation && methodOf(operation, body),
    method: c.req.method,
    url: c.req.url,
    path: c.req.path,
    query: c.req.query(),
    headers: c.req.header(),
    body,
    received_at: now,
  };
}

/** The methods of all operations with this path, which may end in a slash. */
function methodsAt(path: string): string[] {
  return operations
    .filter((operation) => {
      const pattern = `${API_PREFIX}${operation.path}`.replace(':id', '[^/]+');
      return new RegExp(`^${pattern}/?$`).test(path);
    })
    .flatMap(({ methods }) => methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

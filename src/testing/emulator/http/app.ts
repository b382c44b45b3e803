// The emulated service over HTTP: authenticates, routes, answers and logs every request.

import { type Context, Hono } from 'hono';
import type { Except, Writable } from 'type-fest';
import { Refusal } from '../domain/refusal.ts';
import type { Fault } from '../faults/fault.ts';
import { strike } from '../faults/strike.ts';
import { API_PREFIX, type Operation, type OperationName, operations } from '../operations.ts';
import { examParticipantHandlers } from '../routes/exam-participants.ts';
import { examHandlers } from '../routes/exams.ts';
import { participantHandlers } from '../routes/participants.ts';
import { webhookHandlers } from '../routes/webhooks.ts';
import { envelope } from '../styles/envelope.ts';
import { styleOf } from '../styles/style-of.ts';
import { authenticate } from './authentication.ts';
import { answer, type Handlers, type ServiceWorld } from './handler.ts';
import type { Log, ReceivedRequest } from './request-log.ts';

interface AppDependencies {
  readonly requests: Log<ReceivedRequest>;
  readonly takeFault: (operation: OperationName) => Fault | undefined;
  readonly clientActive: () => boolean;
  /** Called when a request has its answer, or will never have one. */
  readonly answered: (request: ReceivedRequest) => void;
}

/** A request without an answer so far. */
type Entry = Writable<ReceivedRequest, 'status' | 'answer' | 'fault'>;

/** How much of an answer is stored, in characters. */
const KEPT_ANSWER = 4096;

/** The service over HTTP: from request to answer. */
export function createApp(world: ServiceWorld, dependencies: AppDependencies): Hono {
  const { settings } = world;
  const { requests, takeFault, clientActive, answered } = dependencies;
  const handlers: Handlers = {
    ...participantHandlers(world),
    ...examParticipantHandlers(world),
    ...examHandlers(world),
    ...webhookHandlers(world),
  };

  /** A refusal is an answer; any other exception is a bug in the emulator, and is shown as one. */
  async function respond(c: Context, operation: Operation): Promise<Response> {
    try {
      authenticate(c.req.raw, operation, { settings, clientActive: clientActive() });
      return await handlers[operation.name](c);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const style = operation.credential === 'bearer' ? envelope : styleOf(settings);
      return answer(style.refusal(error.message, error.errors), error.status);
    }
  }

  async function serve(
    c: Context,
    operation: Operation | null,
    work: () => Promise<Response>,
  ): Promise<Response> {
    const received = await describe(c, operation, settings.clock.now());
    const entry: Entry = { id: requests.nextId, ...received, status: null, fault: null, answer: null };
    requests.add(entry);
    const fault = operation === null ? undefined : takeFault(operation.name);
    entry.fault = fault ?? null;
    try {
      const response =
        fault === undefined
          ? await work()
          : await strike(fault, work, { clock: settings.clock, signal: c.req.raw.signal });
      entry.status = response.status;
      // Reading ahead of the client would consume the half that it should receive before the connection breaks.
      if (fault?.effect?.type !== 'reset-body') {
        entry.answer = (await response.clone().text()).slice(0, KEPT_ANSWER);
      }
      return response;
    } finally {
      answered(entry);
    }
  }

  async function unmatched(c: Context): Promise<Response> {
    const { method, path } = c.req;
    const allow = methodsAt(path).join(', ');
    if (allow !== '') {
      const message = `The ${method} method is not supported for this route. Supported methods: ${allow}.`;
      return Response.json({ message }, { status: 405, headers: { allow } });
    }
    const known = operations.map(
      (operation) => `${operation.methods.join('|')} ${API_PREFIX}${operation.path}`,
    );
    const message = `The route ${method} ${path} does not exist. Known routes: ${known.join(', ')}.`;
    return Response.json({ message }, { status: 404 });
  }

  const app = new Hono();
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
): Promise<Except<ReceivedRequest, 'id' | 'status' | 'fault' | 'answer'>> {
  return {
    operation: operation?.name ?? null,
    method: c.req.method,
    url: c.req.url,
    path: c.req.path,
    query: c.req.query(),
    headers: c.req.header(),
    // As bytes first: once stored as a string, a body no longer shows that it was not UTF-8.
    body: new TextDecoder().decode(await c.req.arrayBuffer()),
    received_at: now,
  };
}

/** The methods of all operations with this path. */
function methodsAt(path: string): string[] {
  const methods = operations
    .filter((operation) => {
      const pattern = `${API_PREFIX}${operation.path}`.replace(':id', '[^/]+');
      return new RegExp(`^${pattern}$`).test(path);
    })
    .flatMap((operation) => operation.methods);
  return [...new Set(methods)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

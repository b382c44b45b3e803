// Reads a request of a page as one of the allowed operations. Nothing else of the request is used afterwards.

import { ConfigurationError } from '../core/errors/base.ts';
import { whenLate, withDeadline } from '../core/time.ts';
import { isRewritten } from '../util/path.ts';
import { readText } from '../util/read-stream.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';
import { anId, type Fields, readFields, type Values } from './call-fields.ts';
import { operations, type ProxyOperation, type ProxyOperationName } from './operations.ts';
import type { ProxySettings } from './proxy-options.ts';
import { reply } from './reply.ts';

/** A request as read. */
export interface ReadCall {
  readonly id: ProxyOperationName;
  readonly operation: ProxyOperation;
  readonly path: { readonly id?: number | undefined };
  readonly query: Values;
  readonly body: Values | undefined;
  /** Parameters that the page sent more than once, which are not in `query`: readers differ in which one counts. */
  readonly doubled: readonly string[];
}

const all = Object.entries<ProxyOperation>(operations);

/**
 * Reads the request of a page.
 *
 * @throws {Response} when it is not exactly an allowed operation
 */
export async function readCall(request: Request, settings: ProxySettings): Promise<ReadCall> {
  // Of a library's own request, which may keep its path as it was sent.
  if (isRewritten(request.url)) throw notAllowed();
  const { pathname, searchParams } = new URL(request.url);
  const base = settings.basePath.replace(/\/$/, '');
  if (!`${pathname}/`.startsWith(`${base}/`)) {
    throw reply(
      404,
      `The proxy is at ${base}: set its option \`basePath\` if your framework mounts it elsewhere.`,
    );
  }
  let id: number | undefined;
  // Compared as it came, so that no other way of writing a method or a path leads anywhere.
  const route = `${request.method} ${pathname.slice(base.length)}`;
  const template = route.replace(/\/(\d+)\b/, (segment, digits) => {
    id = tryOrUndefined(() => anId(digits, 'id'));
    return id === undefined ? segment : '/{id}';
  });
  const allowed: readonly string[] = settings.allow;
  const isAllowed = ([name]: (typeof all)[number]) => allowed.includes(name);
  const found = all.filter(([, operation]) => operation.route === template);
  const [first] = found;
  if (!first || !found.some(isAllowed)) throw notAllowed();
  const json = first[1].body && (await readJson(request, settings));
  // Where two operations share a route, the body decides.
  const chosen = found.at(Object(json).rotate_secret === true ? -1 : 0) ?? first;
  if (!isAllowed(chosen)) throw notAllowed();
  const [name, operation] = chosen;
  const query: Record<string, unknown> = checked('query', Object.fromEntries(searchParams), operation.query);
  const doubled = Object.keys(query).filter((parameter) => searchParams.getAll(parameter).length > 1);
  for (const parameter of doubled) delete query[parameter];
  return {
    id: name as ProxyOperationName,
    operation,
    path: id === undefined ? {} : { id },
    query,
    body: operation.body && checked('body', json, operation.body),
    doubled,
  };
}

const notAllowed = () => reply(403, 'This operation is not allowed.');

function checked(part: string, given: unknown, fields: Fields = {}): Values {
  try {
    return readFields(part, given, fields);
  } catch (error) {
    if (error instanceof ConfigurationError) throw reply(400, error.message);
    throw error;
  }
}

/** Reads the JSON of a request; nothing at all is an empty object. */
async function readJson(request: Request, { maxBodyBytes, timeout }: ProxySettings): Promise<unknown> {
  if (request.bodyUsed)
    throw new ConfigurationError('The body was read: put the proxy in front of body parsers.');
  const read = { text: '' };
  const isWhole = await withDeadline(request.signal, timeout, (signal) =>
    readText(request, maxBodyBytes, read, signal),
  ).catch(whenLate(() => reply(408, 'The body took too long.')));
  if (!isWhole) throw reply(413, 'The body is too long.');
  if (read.text === '') return {};
  // No form of another site can send this type.
  if (!/^application\/json\b/i.test(String(request.headers.get('content-type')))) {
    throw reply(415, 'The body must be application/json.');
  }
  try {
    return JSON.parse(read.text);
  } catch {
    throw reply(400, 'The body must be JSON.');
  }
}

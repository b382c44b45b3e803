// Asks `authorize`, and lays what it forces over what the page sent.

import { ConfigurationError } from '../core/errors/base.ts';
import { whenLate, withDeadline } from '../core/time.ts';
import { readFields, record, type Values } from './call-fields.ts';
import { ProxyError } from './errors.ts';
import type { ProxySettings } from './proxy-options.ts';
import type { ReadCall } from './read-call.ts';
import { isResponse, reply } from './reply.ts';

/**
 * The call as it may be sent.
 *
 * @throws {Response} the one that `authorize` returns; 401 where it returns `null`, 403 where `false`; 400 for a parameter that stays ambiguous
 * @throws {ConfigurationError} when it returns anything else; its own errors pass through
 * @throws {ProxyError} when it takes longer than `timeout`
 */
export async function authorizeCall(
  request: Request,
  call: ReadCall,
  { authorize, timeout }: ProxySettings,
): Promise<ReadCall> {
  const { id: operation, path, query, body, doubled } = call;
  const late = () => {
    const message = `\`authorize\` took longer than ${timeout} ms.`;
    return new ProxyError('authorize_timeout', message, { operation, outcome: 'not_sent', retryable: true });
  };
  const decision = await withDeadline(request.signal, timeout, async () =>
    authorize(request, { operation, path, query, body }),
  ).catch(whenLate(late));
  if (decision === null) throw reply(401, 'Sign in first.');
  if (decision === false) throw reply(403, 'You may not do this.');
  if (isResponse(decision)) throw decision;
  const forced: { query?: Values | undefined; body?: Values | undefined } =
    decision === true ? {} : readForced(decision, call);
  const unclear = doubled.find((name) => !(name in { ...forced.query }));
  if (unclear !== undefined) throw reply(400, `The query has \`${unclear}\` more than once.`);
  return { ...call, query: { ...query, ...forced.query }, body: body && { ...body, ...forced.body } };
}

/** What is misspelt or missing here would give a page more than was meant, so it is an error. */
function readForced(decision: unknown, { id, operation: { query = {}, body = {} } }: ReadCall) {
  const where = `authorize(${id})`;
  const given = Object.fromEntries(Object.entries(Object(decision)).filter(([, part]) => part !== undefined));
  if (![decision, given, ...Object.values(given)].every(isPlainWithValues)) {
    throw new ConfigurationError(
      `\`${where}\` must return true, null (nobody is signed in), false (not allowed), a Response or { query, body }, plain objects with at least one value each.`,
    );
  }
  return readFields(where, given, { query: record(query), body: record(body) });
}

/** What an object inherits, such as the getters of a class, is not read: it would seem forced without being so. */
function isPlainWithValues(value: unknown): boolean {
  const prototype = Object.getPrototypeOf(Object(value));
  // In any realm, the prototype of plain objects inherits nothing.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Object.keys(Object(value)).length > 0;
}

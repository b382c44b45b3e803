// Asks `authorize`, and lays what it forces over what the page sent.

import { ConfigurationError } from '../core/errors/base.ts';
import { readFields, record, type Values } from './fields.ts';
import type { ProxySettings } from './options.ts';
import type { Call } from './read-call.ts';
import { isResponse, refusal } from './refusal.ts';

/**
 * The call as it may be sent.
 *
 * @throws {Response} what `authorize` answers; 401 or 403 where it refuses; 400 for a parameter that stays ambiguous
 * @throws {ConfigurationError} when it returns anything else; its own errors pass through
 */
export async function authorizeCall(
  request: Request,
  call: Call,
  authorize: ProxySettings['authorize'],
): Promise<Call> {
  const { id, path, query, body, doubled } = call;
  const decision = await authorize(request, { operation: id, path, query, body });
  if (decision === false) throw refused(request);
  if (isResponse(decision)) throw decision;
  const forced: { query?: Values; body?: Values } = decision === true ? {} : readForced(decision, call);
  const unclear = doubled.find((name) => !(name in { ...forced.query }));
  if (unclear !== undefined) throw refusal(400, `The query has \`${unclear}\` more than once.`);
  return { ...call, query: { ...query, ...forced.query }, body: body && { ...body, ...forced.body } };
}

function refused({ headers }: Request): Response {
  const isKnown = headers.has('cookie') || headers.has('authorization');
  return isKnown ? refusal(403, 'You may not do this.') : refusal(401, 'Sign in first.');
}

/** What is misspelt or missing here would give a page more than was meant, so it is an error. */
function readForced(decision: unknown, { id, operation: { query = {}, body = {} } }: Call) {
  const forced = readFields(decision, { query: record(query), body: record(body) });
  if (typeof forced !== 'string' && Object.keys(forced).length > 0) return forced;
  throw new ConfigurationError(
    `\`authorize\` must return true, false, a Response or { query, body }. Its answer to ${id} ${forced}.`,
  );
}

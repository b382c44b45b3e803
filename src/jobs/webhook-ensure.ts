// `webhooks.ensure`: registers an endpoint, or updates the one that has its URL.
//
// A registration is never repeated: two endpoints with one URL would deliver every event twice, under two secrets. Two processes can
// still register at the same time. So the list is read again afterwards, and the process with the younger endpoint removes it.

import { ConfigurationError } from '../core/errors/base.ts';
import { withDeadline } from '../core/time.ts';
import type { CreatedWebhookEndpoint, WebhookCreate, WebhookEndpoint } from '../schemas/webhook-types.ts';
import { isCount } from '../util/numbers.ts';
import { WebhookSecretLostError } from './errors.ts';
import { mayHaveHappened, resultOf } from './evidence.ts';

/** The result of `webhooks.ensure`. */
export type EnsuredWebhook = {
  /** The endpoint as the service has it now. */
  readonly endpoint: WebhookEndpoint;
} & (
  | {
      /** Whether this call registered the endpoint. */
      readonly created: true;
      /** The signing secret. It cannot be read again: store it now. */
      readonly secret: string;
    }
  | {
      /** Whether this call registered the endpoint. */
      readonly created: false;
      /** The endpoint existed, or another process registered it at the same moment: its secret cannot be read. */
      readonly secret: null;
    }
);

/** The requests that `ensure` consists of. */
export interface EnsureRequests {
  readonly signal: AbortSignal | undefined;
  /** The endpoints, unchecked; `after` is the outcome of the request before it. */
  list(after?: 'unknown' | 'done'): PromiseLike<readonly unknown[]>;
  /** A listed endpoint, checked; undefined if it is not as documented. */
  check(endpoint: Listed): WebhookEndpoint | undefined;
  create(endpoint: WebhookCreate): PromiseLike<CreatedWebhookEndpoint>;
  update(id: number, changes: Partial<WebhookCreate>): PromiseLike<WebhookEndpoint>;
  remove(id: number): PromiseLike<void>;
}

/** An endpoint as listed, unchecked: an unreadable endpoint of somebody else must not block this one. */
type Listed = Partial<WebhookEndpoint>;

/** What `ensure` was called with, and its result. */
interface EnsureRun {
  readonly input: string;
  readonly result: Promise<EnsuredWebhook>;
}

/** The runs of `ensure` in progress in a client, one for an address. */
export type EnsureRuns = Map<string, EnsureRun>;

/** The service allows five endpoints per project (`POST /webhooks`). */
const MAX_ENDPOINTS = 5;

/** Calls for one address run one after the other, and those with equal input share a result. */
export async function ensureOnce(
  runs: EnsureRuns,
  wanted: WebhookCreate,
  requests: EnsureRequests,
): Promise<EnsuredWebhook> {
  const address = normalize(wanted.url);
  const input = JSON.stringify({ ...wanted, url: address });
  for (let run = runs.get(address); run !== undefined; run = runs.get(address)) {
    // Another call may fail for a reason of its own, such as its signal: this one then makes the requests itself.
    const succeeded = run.result.catch(() => null);
    const result = await withDeadline(requests.signal, Number.POSITIVE_INFINITY, () => succeeded);
    if (result !== null && run.input === input) return result;
  }
  const result = ensureWebhook(wanted, requests).finally(() => runs.delete(address));
  runs.set(address, { input, result });
  return result;
}

async function ensureWebhook(wanted: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
  const isWanted = ({ url }: Listed) => normalize(String(url)) === normalize(wanted.url);
  const list = async (after?: 'unknown' | 'done') => (await requests.list(after)).map(Object) as Listed[];
  const endpoints = await list();
  const [found, ...others] = endpoints.filter(isWanted);
  if (found !== undefined && others.length > 0) {
    throw new ConfigurationError(
      `webhooks.ensure: several webhook endpoints have this url: ${idsOf([found, ...others])}. Keep the one whose secret the ` +
        'receiver has, and remove the others with webhooks.delete(id).',
    );
  }
  if (found !== undefined) return update(found, wanted, requests);
  if (endpoints.length >= MAX_ENDPOINTS) {
    throw new ConfigurationError(
      `webhooks.ensure: the project has ${endpoints.length} webhook endpoints, the most that the service allows. ` +
        `Remove one with webhooks.delete(id), or change its url: ${idsOf(endpoints)}.`,
    );
  }
  const { error, value: created } = await resultOf(requests.create(wanted), requests.signal);
  if (error !== null) {
    if (!mayHaveHappened(error)) throw error;
    const { value: listed = [] } = await resultOf(list('unknown'), requests.signal);
    const [lost, ...more] = listed.filter(isWanted);
    throw new WebhookSecretLostError(more.length === 0 && isCount(lost?.id) ? lost.id : null, error);
  }
  const { secret, ...endpoint } = created;
  // A list that cannot be read, or an abort, must not cost the secret.
  const listed = await list('done').catch(() => []);
  const [oldest] = listed.filter(isWanted).sort(byAge);
  const isListed = listed.some(({ id }) => id === endpoint.id);
  if (!isListed || oldest === undefined || oldest.id === endpoint.id)
    return { endpoint, secret, created: true };
  await requests.remove(endpoint.id);
  return update(oldest, wanted, requests);
}

/** Changes what differs. An endpoint that cannot be read is updated as a whole, so that the response shows it. */
async function update(old: Listed, wanted: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
  const shown = requests.check(old);
  const changes = differences(shown ?? {}, wanted);
  const isAsWanted = shown !== undefined && Object.keys(changes).length === 0;
  // What is no id is rejected before it becomes a part of a path.
  const endpoint = isAsWanted ? shown : await requests.update(old.id as number, changes);
  return { endpoint, secret: null, created: false };
}

/** All processes must find the same one to be the oldest. */
function byAge(a: Listed, b: Listed): number {
  const timeOf = ({ created_at }: Listed) => Date.parse(String(created_at)) || 0;
  return timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id);
}

function idsOf(endpoints: readonly Listed[]): string {
  return endpoints.map(({ id }) => id).join(', ');
}

/** The service may normalize a URL: `HTTPS://Host:443` becomes `https://host/`. */
function normalize(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** The fields of an endpoint that need to change; fields left out stay as they are. */
function differences(endpoint: Listed, wanted: WebhookCreate): Partial<WebhookCreate> {
  const { events, description, is_active } = wanted;
  // The order and repetitions of events do not matter. Frameworks trim strings and store an empty one as null.
  const sorted = (list: unknown) => Array.isArray(list) && JSON.stringify([...new Set(list)].sort());
  const trimmed = (text: unknown) => String(text ?? '').trim();
  const isDescribed = description === undefined || trimmed(description) === trimmed(endpoint.description);
  const isDisabled = is_active && endpoint.is_disabled_by_system === true;
  return {
    ...(sorted(events) !== sorted(endpoint.events) && { events }),
    ...(!isDescribed && { description }),
    ...((isDisabled || endpoint.is_active !== is_active) && { is_active }),
  };
}

// `webhooks.ensure`: registers an endpoint, or updates the one that has its URL.
//
// The list is read loosely: an unreadable endpoint of somebody else must not block this one. An unreadable endpoint with the URL
// counts as different, and the update that follows is checked like any other. A registration is never repeated: two endpoints
// with one URL would deliver every event twice, under two secrets. Two processes can still register at the same time. So the list
// is read again afterwards, and whoever registered the younger endpoint removes it. An update counts when the service shows the
// change, in its response or in the list.

import { ConfigurationError, ExamServiceError } from '../core/errors/base.ts';
import { withDeadline } from '../core/time.ts';
import type {
  CreatedWebhookEndpoint,
  EnsuredWebhook,
  WebhookCreate,
  WebhookEndpoint,
} from '../resources/webhook-types.ts';
import { isCount } from '../util/numbers.ts';
import { mayHaveHappened, resultOf } from './evidence.ts';

/**
 * `webhooks.ensure` registered an endpoint, but the response with its signing secret was lost, and the secret cannot be read again.
 * `cause` says how. With an `endpointId`, call `webhooks.rotateSecret(error.endpointId)` for a new secret. Without one, the list
 * could not be read either, or shows several: look for the endpoint with `webhooks.list()`, and rotate its secret if it is there.
 * Until you do, `ensure` of the same client throws this error again, since it would find the endpoint and have no secret.
 */
export class WebhookSecretLostError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'webhook_secret_lost';
  override readonly name = 'WebhookSecretLostError';
  override readonly code = 'webhook_secret_lost';
  /** Id of the endpoint whose secret is unknown; `null` when it is not known whether it was registered. */
  readonly endpointId: number | null;

  /** @internal Made by `ensure`. */
  constructor(endpointId: number | null, cause: unknown) {
    const advice =
      endpointId === null
        ? 'and the list does not show which endpoint it is. If webhooks.list() has it, call webhooks.rotateSecret(id); if not, call ensure again.'
        : `but endpoint ${endpointId} is registered. Call webhooks.rotateSecret(${endpointId}).`;
    super(
      `webhooks.ensure: the response with the secret was lost, ${advice}`,
      { outcome: endpointId === null ? 'unknown' : 'done', retryable: false },
      { cause },
    );
    this.endpointId = endpointId;
  }
}

/** `webhooks.ensure` changed an endpoint, and the service accepted that, but still shows the endpoint as it was before. */
export class WebhookNotUpdatedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'webhook_not_updated';
  override readonly name = 'WebhookNotUpdatedError';
  override readonly code = 'webhook_not_updated';
  /** Id of the endpoint. */
  readonly endpointId: number;

  /** @internal Made by `ensure`. */
  constructor(endpointId: number, fields: readonly string[]) {
    super(
      `webhooks.ensure: the service accepted the update of endpoint ${endpointId}, but does not show it: ${fields.join(', ')}. ` +
        'Call ensure again later.',
      { outcome: 'unknown', retryable: true },
    );
    this.endpointId = endpointId;
  }
}

/** The requests that `ensure` consists of. */
export interface EnsureRequests {
  readonly signal: AbortSignal | undefined;
  /** The endpoints, unchecked; `after` is the outcome of the request before it. */
  list(after?: 'unknown' | 'done'): Promise<readonly Listed[]>;
  /** A listed endpoint, checked; undefined if it is not as documented. */
  check(endpoint: unknown): WebhookEndpoint | undefined;
  create(endpoint: WebhookCreate): PromiseLike<CreatedWebhookEndpoint>;
  update(id: number, changes: Partial<WebhookCreate>): PromiseLike<WebhookEndpoint>;
  remove(id: number): PromiseLike<void>;
}

/** An endpoint as listed, unchecked. */
type Listed = Partial<WebhookEndpoint>;

/** A run of `ensure` for an address. */
interface Run {
  readonly input: string;
  readonly result: Promise<EnsuredWebhook>;
  readonly signal: AbortSignal | undefined;
}

/** A secret that was lost: the id of its endpoint, if that is known, and how. */
interface Loss {
  readonly id: number | null;
  readonly cause: unknown;
}

/** The service allows five endpoints per project (`POST /webhooks`). */
const MAX_ENDPOINTS = 5;

/** Runs `ensure` for a client, one run at a time for an address. */
export class WebhookEnsurer {
  readonly #runs = new Map<string, Run>();
  readonly #losses = new Map<string, Loss>();

  /** Finds the endpoint by its URL and updates what differs, or registers it. Calls with the same input share one run. */
  async ensure(wanted: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
    const { signal } = requests;
    const address = normalize(wanted.url);
    const input = JSON.stringify(wanted);
    for (let run = this.#runs.get(address); run !== undefined; run = this.#runs.get(address)) {
      const { result } = run;
      try {
        const ensured = await withDeadline(signal, Number.POSITIVE_INFINITY, () => result);
        if (run.input === input) return ensured;
      } catch (error) {
        // An abort is that of its own caller.
        if (signal?.aborted || (run.input === input && !run.signal?.aborted)) throw error;
      }
    }
    const result = this.#run(address, wanted, requests).finally(() => this.#runs.delete(address));
    this.#runs.set(address, { input, result, signal });
    return result;
  }

  /** Call this when the secret of an endpoint is replaced: it is not lost any more. */
  forgetLoss(endpointId: number): void {
    for (const [address, { id }] of this.#losses) {
      if (id === null || id === endpointId) this.#losses.delete(address);
    }
  }

  async #run(address: string, wanted: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
    const endpoints = await requests.list();
    const [found, ...others] = withAddress(endpoints, address);
    if (found !== undefined && others.length > 0) {
      throw new ConfigurationError(
        `webhooks.ensure: several webhook endpoints have this url: ${idsOf([found, ...others])}. Keep the one whose secret the ` +
          'receiver has, and remove the others with webhooks.delete(id).',
      );
    }
    if (found !== undefined) {
      const loss = this.#losses.get(address);
      if (loss && (loss.id ?? idOf(found)) === idOf(found)) throw this.#lose(address, found, loss.cause);
      return { endpoint: await update(found, wanted, requests), secret: null, created: false };
    }
    if (endpoints.length >= MAX_ENDPOINTS) {
      throw new ConfigurationError(
        `webhooks.ensure: the project has ${endpoints.length} webhook endpoints, the most that the service allows. ` +
          `Remove one with webhooks.delete(id), or change its url: ${idsOf(endpoints)}.`,
      );
    }
    const { secret, ...endpoint } = await this.#create(address, wanted, requests);
    // A list that cannot be read, or an abort, must not cost the secret.
    const listed = withAddress(await requests.list('done').catch(() => []), address);
    const own = listed.find(({ id }) => Number(id) === Number(endpoint.id));
    const [oldest] = listed.sort(byAge);
    if (own === undefined || oldest === undefined || own === oldest)
      return { endpoint, secret, created: true };
    await remove(idOf(own), requests);
    return { endpoint: await update(oldest, wanted, requests), secret: null, created: false };
  }

  /** @throws {WebhookSecretLostError} when the response is lost and the endpoint is, or may be, registered */
  async #create(address: string, wanted: WebhookCreate, requests: EnsureRequests) {
    // Until the response is there; an abort leaves it so.
    this.#losses.set(address, { id: null, cause: undefined });
    const { error: cause, value: created } = await resultOf(requests.create(wanted), requests.signal);
    if (cause === null || !mayHaveHappened(cause)) this.#losses.delete(address);
    if (cause === null) return created;
    if (!mayHaveHappened(cause)) throw cause;
    const { value: listed } = await resultOf(requests.list('unknown'), requests.signal);
    const [found, ...others] = withAddress(listed ?? [], address);
    if (listed && found === undefined) throw cause;
    throw this.#lose(address, others.length > 0 ? undefined : found, cause);
  }

  #lose(address: string, endpoint: Listed | undefined, cause: unknown): WebhookSecretLostError {
    const id = endpoint && idOf(endpoint);
    const loss = { id: isCount(id) ? id : null, cause };
    this.#losses.set(address, loss);
    return new WebhookSecretLostError(loss.id, cause);
  }
}

/** Removes the endpoint that this call registered. It is removed when the list does not show it any more. */
async function remove(id: number, requests: EnsureRequests): Promise<void> {
  const { error } = await resultOf(requests.remove(id), requests.signal);
  if (error !== null && (await requests.list('unknown')).some((endpoint) => idOf(endpoint) === id))
    throw error;
}

/** Changes what differs, and makes sure that the service shows the change. */
async function update(
  found: Listed,
  wanted: WebhookCreate,
  requests: EnsureRequests,
): Promise<WebhookEndpoint> {
  const data = requests.check(found);
  // An endpoint that cannot be read is updated as a whole, so that the response shows it.
  const changes = differences(data ?? {}, wanted);
  if (data !== undefined && Object.keys(changes).length === 0) return data;
  const id = idOf(found);
  const response = await requests.update(id, changes);
  /** The fields shown as they were. Whether the service enables what it disabled itself is undocumented. */
  const lacking = (endpoint: Listed) =>
    Object.keys(differences({ ...endpoint, is_disabled_by_system: false }, wanted));
  if (lacking(response).length === 0) return response;
  const listed = (await requests.list('unknown')).find((endpoint) => idOf(endpoint) === id);
  const shown = requests.check(listed) ?? response;
  const fields = lacking(shown);
  if (fields.length === 0) return shown;
  throw new WebhookNotUpdatedError(id, fields);
}

function withAddress(endpoints: readonly Listed[], address: string): Listed[] {
  return endpoints.filter(({ url }) => normalize(String(url)) === address);
}

/** All processes must find the same one to be the oldest. */
function byAge(a: Listed, b: Listed): number {
  const timeOf = ({ created_at }: Listed) => Date.parse(String(created_at)) || 0;
  return timeOf(a) - timeOf(b) || idOf(a) - idOf(b);
}

/** The id of an endpoint as listed; what is not an id is rejected before it becomes a part of a path. */
function idOf({ id }: Listed): number {
  return typeof id === 'string' ? Number(id) : (id as number);
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

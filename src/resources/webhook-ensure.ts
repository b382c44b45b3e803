// `webhooks.ensure`: registers an endpoint, or updates the one that has its URL.
//
// The list is read loosely, since an odd endpoint of somebody else is no reason to do nothing: of the endpoint with the URL, what
// cannot be read counts as different, and the update that follows is checked like any other. A registration is never repeated: two
// endpoints with one URL would deliver every event twice, under two secrets. When its answer is lost, the list shows whether it took
// effect. When the list fails, too, the error must say that the secret may be lost: the next call would find the endpoint and give
// no secret. An update counts when the service shows the change, in its answer or in the list.

import { ConfigurationError, ExamServiceError } from '../core/errors/base.ts';
import { RequestValidationError } from '../core/errors/request-error.ts';
import { createWebhookBody, webhookEndpoint } from '../schemas/webhook.ts';
import { isCount } from '../util/numbers.ts';
import { toIssues } from '../util/standard-schema.ts';
import { mayHaveHappened, resultOf } from './evidence.ts';
import type {
  CreatedWebhookEndpoint,
  EnsuredWebhook,
  WebhookCreate,
  WebhookEndpoint,
} from './webhook-types.ts';

/**
 * `webhooks.ensure` registered an endpoint, but the answer with its signing secret was lost, and the secret cannot be read again.
 * `cause` says how. With an `endpointId`, call `webhooks.rotateSecret(error.endpointId)` for a new secret. Without one, the list
 * could not be read either, or does not tell which it is: look for the endpoint with `webhooks.list()`, and rotate its secret if it is there.
 */
export class WebhookSecretLostError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'webhook_secret_lost';
  override readonly name = 'WebhookSecretLostError';
  override readonly code = 'webhook_secret_lost';
  /** Id of the endpoint whose secret is unknown; `null` when it is not known whether it was registered. */
  readonly endpointId: number | null;

  /** @internal Made by `ensure`. */
  constructor(endpointId: number | null, cause: ExamServiceError) {
    const advice =
      endpointId === null
        ? 'and the list does not tell. If webhooks.list() shows the endpoint, call webhooks.rotateSecret(id); if not, call ensure again.'
        : `but endpoint ${endpointId} is registered. Call webhooks.rotateSecret(${endpointId}).`;
    super(
      `webhooks.ensure: the answer with the secret was lost, ${advice}`,
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
  /** The endpoints, unchecked; `after` says what is known of a change before it. */
  list(after?: 'unknown'): PromiseLike<readonly Listed[]>;
  create(endpoint: WebhookCreate): PromiseLike<CreatedWebhookEndpoint>;
  update(id: number, changes: Partial<WebhookCreate>): PromiseLike<WebhookEndpoint>;
}

/** An endpoint as listed, unchecked. */
type Listed = Partial<WebhookEndpoint>;

/** The service allows five endpoints per project (`POST /webhooks`). */
const MAX_ENDPOINTS = 5;

/** Finds the endpoint by its URL and updates what differs, or registers it. */
export async function ensureWebhook(input: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
  // Checked like the body of a registration, before anything is sent.
  const read = createWebhookBody.safeParse(input);
  if (!read.success) throw new RequestValidationError('webhooks.ensure', toIssues(read.error.issues));
  const wanted: WebhookCreate = { ...read.data, is_active: read.data.is_active ?? true };
  const endpoints = await requests.list();
  const found = findByAddress(endpoints, wanted.url);
  if (found !== undefined) {
    return { endpoint: await update(found, wanted, requests), secret: null, created: false };
  }
  if (endpoints.length >= MAX_ENDPOINTS) {
    throw new ConfigurationError(
      `webhooks.ensure: the project has ${endpoints.length} webhook endpoints, the most that the service allows. ` +
        `Remove one with webhooks.delete(id), or change its url: ${idsOf(endpoints)}.`,
    );
  }
  const { error: loss, value: registered } = await resultOf(requests.create(wanted), requests.signal);
  if (loss === null) {
    const { secret, ...endpoint } = registered;
    return { endpoint, secret, created: true };
  }
  if (!mayHaveHappened(loss)) throw loss;
  const look = async () => findByAddress(await requests.list(), wanted.url);
  const { error, value: lost } = await resultOf(look(), requests.signal);
  if (error === null && lost === undefined) throw loss;
  const id = lost && idOf(lost);
  throw new WebhookSecretLostError(isCount(id) ? id : null, loss);
}

/** Changes what differs, and makes sure that the service shows the change. */
async function update(
  found: Listed,
  wanted: WebhookCreate,
  requests: EnsureRequests,
): Promise<WebhookEndpoint> {
  const { data } = webhookEndpoint.safeParse(found);
  // An endpoint that cannot be read is updated as a whole, so that the answer shows it.
  const changes = differences(data ?? {}, wanted);
  if (data !== undefined && Object.keys(changes).length === 0) return data;
  const id = idOf(found);
  const answer = await requests.update(id, changes);
  /** The fields shown as they were. Whether the service enables what it disabled itself is undocumented. */
  const lacking = (endpoint: Listed) =>
    Object.keys(differences({ ...endpoint, is_disabled_by_system: false }, wanted));
  if (lacking(answer).length === 0) return answer;
  const listed = (await requests.list('unknown')).find((endpoint) => idOf(endpoint) === id);
  const shown = webhookEndpoint.safeParse(listed).data ?? answer;
  const fields = lacking(shown);
  if (fields.length === 0) return shown;
  throw new WebhookNotUpdatedError(id, fields);
}

/** @throws {ConfigurationError} when several endpoints have this URL, since the receiver could have the secret of any */
function findByAddress(endpoints: readonly Listed[], url: string): Listed | undefined {
  const found = endpoints.filter((endpoint) => normalize(String(endpoint.url)) === normalize(url));
  if (found.length < 2) return found[0];
  throw new ConfigurationError(
    `webhooks.ensure: several webhook endpoints have this url: ${idsOf(found)}. Keep the one whose secret the receiver has, and ` +
      'remove the others with webhooks.delete(id).',
  );
}

/** The id of an endpoint as listed; what is no id is refused before it becomes a part of a path. */
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

// `webhooks.ensure`: registers an endpoint, or updates the one that has its URL.

import { isExamServiceError } from '../core/errors/base.ts';
import { ConfigurationError } from '../core/errors/configuration-error.ts';
import { RequestValidationError } from '../core/errors/request-validation-error.ts';
import { createWebhookBody } from '../schemas/webhook.ts';
import { toIssues } from '../util/standard-schema.ts';
import { WebhookSecretLostError } from './webhook-secret-lost-error.ts';
import type {
  CreatedWebhookEndpoint,
  EnsuredWebhook,
  WebhookCreate,
  WebhookEndpoint,
  WebhookList,
} from './webhook-types.ts';

/** The requests that `ensure` consists of. */
export interface EnsureRequests {
  list(): Promise<WebhookList>;
  /** Lists again after a registration that may have taken effect. */
  listAgain(): Promise<WebhookList>;
  create(endpoint: WebhookCreate): Promise<CreatedWebhookEndpoint>;
  update(id: number, changes: Partial<WebhookCreate>): Promise<WebhookEndpoint>;
}

/** The service allows five endpoints per project (`POST /webhooks`). */
const MAX_ENDPOINTS = 5;

/**
 * Finds the endpoint by its URL and updates what differs, or registers it. If the answer to a registration is lost, the
 * list is read again instead of repeating it: two endpoints with one URL would deliver every event twice, under two
 * secrets.
 */
export async function ensureWebhook(input: WebhookCreate, requests: EnsureRequests): Promise<EnsuredWebhook> {
  const read = readInput(input);
  const wanted = { ...read, is_active: read.is_active ?? true };
  const { data } = await requests.list();
  const found = findByAddress(data, wanted.url);
  if (found !== undefined) {
    const changes = differences(found, wanted);
    const isAsWanted = Object.keys(changes).length === 0;
    const endpoint = isAsWanted ? found : await requests.update(found.id, changes);
    return { endpoint, secret: null, created: false };
  }
  if (data.length >= MAX_ENDPOINTS) {
    const ids = data.map(({ id }) => id).join(', ');
    throw new ConfigurationError(
      `webhooks.ensure: the project has ${data.length} webhook endpoints, and the service allows at most ${MAX_ENDPOINTS}. ` +
        `Remove one with webhooks.delete(id), or change its url with webhooks.update(id, { url }): ${ids}.`,
    );
  }
  try {
    const { secret, ...endpoint } = await requests.create(wanted);
    return { endpoint, secret, created: true };
  } catch (error) {
    if (!isExamServiceError(error) || (error.outcome !== 'unknown' && error.outcome !== 'done')) throw error;
    const registered = findByAddress((await requests.listAgain()).data, wanted.url);
    throw registered === undefined ? error : new WebhookSecretLostError(registered.id, error);
  }
}

/** Checked like the body of a registration, before anything is sent. */
function readInput(input: WebhookCreate): WebhookCreate {
  const { success, data, error } = createWebhookBody.safeParse(input);
  if (!success) throw new RequestValidationError('webhooks.ensure', toIssues(error.issues));
  return data;
}

/** @throws {ConfigurationError} when several endpoints have this URL, since the receiver could have the secret of any */
function findByAddress(endpoints: readonly WebhookEndpoint[], url: string): WebhookEndpoint | undefined {
  const address = normalize(url);
  const [found, ...others] = endpoints.filter((endpoint) => normalize(endpoint.url) === address);
  if (others.length === 0) return found;
  const ids = [found, ...others].map((endpoint) => endpoint?.id).join(', ');
  throw new ConfigurationError(
    `webhooks.ensure: several webhook endpoints have this url: ${ids}. Keep the one whose secret the receiver has, and remove ` +
      'the others with webhooks.delete(id).',
  );
}

/** The service may normalize a URL: `HTTPS://Host:443` becomes `https://host/`. */
function normalize(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** The fields of an endpoint that need to change; fields left out stay as they are. */
function differences(
  endpoint: WebhookEndpoint,
  { events, description, is_active }: WebhookCreate,
): Partial<WebhookCreate> {
  const isDisabled = is_active && endpoint.is_disabled_by_system;
  return {
    ...(!isSameSet(events, endpoint.events) && { events }),
    ...(description !== undefined &&
      trimmed(description) !== trimmed(endpoint.description) && { description }),
    ...((isDisabled || endpoint.is_active !== is_active) && { is_active }),
  };
}

function isSameSet(...lists: (readonly string[])[]): boolean {
  const all = new Set(lists.flat());
  return lists.every((list) => new Set(list).size === all.size);
}

/** Frameworks trim strings and store an empty one as null. */
function trimmed(description: string | null): string | null {
  return description?.trim() || null;
}

// `client.webhooks`: manages webhook endpoints, sends test deliveries and reads delivery records.

import type { ApiPromise } from '../core/api-promise.ts';
import { readArgument } from '../core/arguments.ts';
import { RequestValidationError } from '../core/errors/request-error.ts';
import { defineOperation } from '../core/operation.ts';
import { jobTable, methodOf, readOptionsOf } from '../core/options/call-options.ts';
import type { JobOptions, ListOptions, RequestOptions } from '../core/options/client-options.ts';
import type { PagePromise } from '../core/pages/page.ts';
import { Resource, type Transport } from '../core/transport.ts';
import { type EnsuredWebhook, type EnsureRuns, ensureOnce } from '../jobs/webhook-ensure.ts';
import { passthrough } from '../schemas/service-fields.ts';
import * as schemas from '../schemas/webhook.ts';
import type {
  CreatedWebhookEndpoint,
  TestDelivery,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryListQuery,
  WebhookEndpoint,
  WebhookTest,
  WebhookUpdate,
} from '../schemas/webhook-types.ts';
import { toIssues } from '../util/standard-schema.ts';

/** All of these carry the key as a token, and their success statuses are undocumented by the service. */
const managing = { auth: 'bearer', success: null } as const;

/** The secret is shown only once, so nothing else in the response may keep it from the caller. */
const withSecret = {
  kind: 'record',
  key: 'id',
  schema: schemas.webhookEndpointWithSecret,
  minimum: schemas.shownOnce,
} as const;

export const listWebhooks = defineOperation({
  ...managing,
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  request: {},
  response: { kind: 'array', schema: schemas.webhookList },
});

export const listAvailableEvents = defineOperation({
  ...listWebhooks,
  id: 'webhooks.availableEvents',
  response: { kind: 'part', path: ['meta', 'available_events'], schema: schemas.availableEvents },
});

export const createWebhook = defineOperation({
  ...managing,
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  request: { body: schemas.createWebhookBody },
  response: withSecret,
});

export const updateWebhook = defineOperation({
  ...managing,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{id}',
  // It sets fields to values: a second time changes nothing.
  retry: 'idempotent',
  request: { path: schemas.webhookPath, body: schemas.updateWebhookBody },
  response: { kind: 'record', key: 'id', schema: schemas.webhookEndpoint },
});

export const rotateWebhookSecret = defineOperation({
  ...updateWebhook,
  id: 'webhooks.rotateSecret',
  request: { path: schemas.webhookPath, body: passthrough },
  response: withSecret,
});

export const deleteWebhook = defineOperation({
  ...managing,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{id}',
  request: { path: schemas.webhookPath },
  response: { kind: 'empty' },
});

export const listDeliveries = defineOperation({
  ...managing,
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  request: { path: schemas.webhookPath, query: schemas.deliveriesQuery },
  response: { kind: 'list', schema: schemas.webhookDelivery },
});

export const testWebhook = defineOperation({
  ...managing,
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{id}/test',
  request: { path: schemas.webhookPath, body: schemas.testWebhookBody },
  response: { kind: 'record', key: 'queued', schema: schemas.testDelivery },
});

/** The requests of `ensure` carry its name in their errors. It looks at one endpoint of the list. */
const asEnsure = { id: 'webhooks.ensure' } as const;
const listLoosely = {
  ...listWebhooks,
  ...asEnsure,
  response: { kind: 'array', schema: schemas.anyEndpoints },
} as const;

/** The runs of `ensure`, by client. */
const runs = new WeakMap<Transport, EnsureRuns>();

function runsOf(transport: Transport): EnsureRuns {
  const own: EnsureRuns = runs.get(transport) ?? new Map();
  runs.set(transport, own);
  return own;
}

/**
 * Webhook endpoints and their deliveries (endpoints under `/webhooks`). The service documents no error responses for these
 * operations except 403; any other status throws the `ApiError` for that status.
 */
export class Webhooks extends Resource {
  /** Lists the webhook endpoints, at most five, without their secrets. `GET /webhooks` */
  list(options?: RequestOptions): ApiPromise<WebhookEndpoint[]> {
    return this.transport.call(listWebhooks, {}, options);
  }

  /** Each event that an endpoint can receive, with its description: `meta.available_events` of `GET /webhooks` */
  availableEvents(options?: RequestOptions): ApiPromise<Record<string, string>> {
    return this.transport.call(listAvailableEvents, {}, options);
  }

  /**
   * Registers an endpoint; a project can have five. The response contains its signing secret, which cannot be read again. `POST
   * /webhooks`
   */
  create(endpoint: WebhookCreate, options?: RequestOptions): ApiPromise<CreatedWebhookEndpoint> {
    return this.transport.call(createWebhook, { body: endpoint }, options);
  }

  /**
   * Makes sure that an active endpoint with this `url` receives exactly these `events`. An existing endpoint is found by its `url`
   * (equivalent URLs match) and updated where it differs. Otherwise a new one is registered, and the result contains its `secret`, this
   * one time. If several processes register it at once, one endpoint stays, and one of them has its secret. `GET /webhooks`, `POST
   * /webhooks`, `PATCH /webhooks/{id}`, `DELETE /webhooks/{id}`
   *
   * @throws {ConfigurationError} when the project has five other endpoints, or several with this `url`.
   * @throws {WebhookSecretLostError} when the response to the registration, and the secret in it, was lost.
   */
  async ensure(endpoint: WebhookCreate, options: JobOptions = {}): Promise<EnsuredWebhook> {
    const call = readOptionsOf(methodOf({ ...createWebhook, ...asEnsure }), options, jobTable);
    // Checked like the body of a registration, before anything is sent.
    const body = readArgument(schemas.createWebhookBody(), endpoint);
    if (body.issues) throw new RequestValidationError(asEnsure.id, toIssues(body.issues));
    const wanted = { ...body.value, is_active: body.value.is_active ?? true };
    return ensureOnce(runsOf(this.transport), wanted, {
      signal: call.signal,
      list: (after) => this.transport.call({ ...listLoosely, followsOutcome: after }, {}, call),
      check: (listed) => schemas.webhookEndpoint().safeParse(listed).data,
      create: (body) => this.transport.call({ ...createWebhook, ...asEnsure }, { body }, call),
      update: (id, body) =>
        this.transport.call({ ...updateWebhook, ...asEnsure }, { path: { id }, body }, call),
      remove: (id) => this.transport.call({ ...deleteWebhook, ...asEnsure }, { path: { id } }, call),
    });
  }

  /** Changes an endpoint; fields left out stay as they are. `PATCH /webhooks/{id}` */
  update(id: number, changes: WebhookUpdate, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.transport.call(updateWebhook, { path: { id }, body: changes }, options);
  }

  /**
   * Replaces the signing secret and returns the new one, which cannot be read again. `PATCH /webhooks/{id}` with `rotate_secret`
   */
  rotateSecret(id: number, options?: RequestOptions): ApiPromise<CreatedWebhookEndpoint> {
    const body = { rotate_secret: true };
    return this.transport.call(rotateWebhookSecret, { path: { id }, body }, options);
  }

  /** Deletes an endpoint. `DELETE /webhooks/{id}` */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.transport.call(deleteWebhook, { path: { id } }, options);
  }

  /** Lists the deliveries to an endpoint, including failed ones. `GET /webhooks/{id}/deliveries` */
  deliveries(
    id: number,
    query: WebhookDeliveryListQuery = {},
    options?: ListOptions<WebhookDelivery>,
  ): PagePromise<WebhookDelivery> {
    return this.transport.list(listDeliveries, { path: { id }, query }, options);
  }

  /**
   * Queues a test delivery to an active endpoint, of `exam_result.completed` unless you name another event. `POST
   * /webhooks/{id}/test`
   */
  test(id: number, test: WebhookTest = {}, options?: RequestOptions): ApiPromise<TestDelivery> {
    return this.transport.call(testWebhook, { path: { id }, body: test }, options);
  }
}

import type { ApiPromise } from '../core/api-promise.ts';
import { defineOperation } from '../core/operation.ts';
import type { ListOptions, RequestOptions } from '../core/options.ts';
import type { PagePromise } from '../core/pages/page-promise.ts';
import { readOptions } from '../core/request/call-options.ts';
import { Resource } from '../core/resource.ts';
import * as schemas from '../schemas/webhook.ts';
import { ensureWebhook } from './ensure-webhook.ts';
import type {
  CreatedWebhookEndpoint,
  EnsuredWebhook,
  TestDelivery,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryListQuery,
  WebhookEndpoint,
  WebhookList,
  WebhookTest,
  WebhookUpdate,
} from './webhook-types.ts';

/** The secret is shown once, so that nothing else in the answer may keep it from the caller. */
const withSecret = {
  kind: 'record',
  key: 'id',
  schema: schemas.webhookEndpointWithSecret,
  essential: schemas.shownOnce,
} as const;

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  auth: 'bearer',
  retry: 'idempotent',
  request: {},
  success: null,
  response: { kind: 'envelope', schema: schemas.webhookList },
});

export const createWebhook = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  auth: 'bearer',
  retry: 'unprocessed',
  request: { body: schemas.createWebhookBody },
  success: null,
  response: withSecret,
});

export const updateWebhook = defineOperation({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{id}',
  auth: 'bearer',
  retry: 'idempotent',
  request: { path: schemas.webhookPath, body: schemas.updateWebhookBody },
  success: null,
  response: { kind: 'record', key: 'id', schema: schemas.webhookEndpoint },
});

export const rotateWebhookSecret = defineOperation({
  id: 'webhooks.rotateSecret',
  method: 'PATCH',
  path: '/webhooks/{id}',
  auth: 'bearer',
  retry: 'idempotent',
  request: { path: schemas.webhookPath, body: schemas.rotateSecretBody },
  success: null,
  response: withSecret,
});

export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{id}',
  auth: 'bearer',
  retry: 'idempotent',
  request: { path: schemas.webhookPath },
  success: null,
  response: { kind: 'nothing' },
});

export const listDeliveries = defineOperation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  auth: 'bearer',
  retry: 'idempotent',
  request: { path: schemas.webhookPath, query: schemas.deliveriesQuery },
  success: null,
  response: { kind: 'list', schema: schemas.webhookDelivery },
});

export const testWebhook = defineOperation({
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{id}/test',
  auth: 'bearer',
  retry: 'unprocessed',
  request: { path: schemas.webhookPath, body: schemas.testWebhookBody },
  success: null,
  response: { kind: 'record', key: 'queued', schema: schemas.testDelivery },
});

/** The parts of `ensure` name it in their errors. */
const asEnsure = { id: 'webhooks.ensure' } as const;

/**
 * Webhook endpoints and their deliveries (interface document, Endpoints, Webhook endpoints). The error responses of these
 * operations are undocumented, but for 403; whatever the status, it is thrown as the `ApiError` of that status.
 */
export class Webhooks extends Resource {
  /** Lists the webhook endpoints, without their secrets, and the events there are. `GET /webhooks` */
  list(options?: RequestOptions): ApiPromise<WebhookList> {
    return this.transport.call(listWebhooks, {}, options);
  }

  /**
   * Registers an endpoint; a project may have five. The answer shows its signing secret, which cannot be read
   * again. `POST /webhooks`
   */
  create(endpoint: WebhookCreate, options?: RequestOptions): ApiPromise<CreatedWebhookEndpoint> {
    return this.transport.call(createWebhook, { body: endpoint }, options);
  }

  /**
   * Sees to it that an active endpoint with this `url` gets these `events`. One that is there is found by its `url` (several
   * ways to write an address count as one), and changed only where it differs: other events, another description if you give
   * one, not active or disabled by the service. Otherwise an endpoint is registered, and `secret` is shown, this once.
   *
   * A registration whose answer is lost is never repeated: the list is read again. Where it shows no endpoint, the error of
   * the loss is thrown, whose `outcome` is `unknown`; calling `ensure` again looks before it registers. Whether the service
   * enables an endpoint again that it disabled itself is undocumented; `endpoint.is_disabled_by_system` says so.
   * `GET /webhooks`, `POST /webhooks`, `PATCH /webhooks/{id}`
   *
   * @throws {ConfigurationError} when the project has its five endpoints already, or several with this `url`.
   * @throws {WebhookSecretLostError} when the endpoint was registered and the answer with its secret lost: rotate the secret.
   */
  async ensure(endpoint: WebhookCreate, options: RequestOptions = {}): Promise<EnsuredWebhook> {
    const call = readOptions(options);
    // What an endpoint is compared by must be as documented, whatever else may differ.
    const strictly = { ...call, validation: 'strict' } as const;
    return ensureWebhook(endpoint, {
      list: () => this.transport.call({ ...listWebhooks, ...asEnsure }, {}, strictly),
      listAgain: () => this.transport.call({ ...listWebhooks, ...asEnsure, isFollowUp: true }, {}, strictly),
      create: (body) => this.transport.call({ ...createWebhook, ...asEnsure }, { body }, call),
      update: (id, body) =>
        this.transport.call({ ...updateWebhook, ...asEnsure }, { path: { id }, body }, call),
    });
  }

  /**
   * Changes an endpoint; what is left out stays as it is. With `rotate_secret: true` the signing secret is replaced as well, and
   * the answer shows the new one. `PATCH /webhooks/{id}`
   */
  update(
    id: number,
    changes: WebhookUpdate & { readonly rotate_secret: true },
    options?: RequestOptions,
  ): ApiPromise<CreatedWebhookEndpoint>;
  update(id: number, changes: WebhookUpdate, options?: RequestOptions): ApiPromise<WebhookEndpoint>;
  update(id: number, changes: WebhookUpdate, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    // Read once, as `rotate_secret` decides more than the body.
    const body = isPlain(changes) ? { ...changes } : changes;
    const operation = Object(body).rotate_secret === true ? rotateWebhookSecret : updateWebhook;
    return this.transport.call(operation, { path: { id }, body }, options);
  }

  /** Replaces the signing secret and shows the new one, which cannot be read again. `PATCH /webhooks/{id}` */
  rotateSecret(id: number, options?: RequestOptions): ApiPromise<CreatedWebhookEndpoint> {
    return this.transport.call(rotateWebhookSecret, { path: { id }, body: { rotate_secret: true } }, options);
  }

  /** Removes an endpoint. `DELETE /webhooks/{id}` */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.transport.call(deleteWebhook, { path: { id } }, options);
  }

  /** Lists what was delivered to an endpoint, or tried. `GET /webhooks/{id}/deliveries` */
  deliveries(
    id: number,
    query: WebhookDeliveryListQuery = {},
    options?: ListOptions<WebhookDelivery>,
  ): PagePromise<WebhookDelivery> {
    return this.transport.list(listDeliveries, { path: { id }, query }, options);
  }

  /**
   * Queues a test delivery to an active endpoint. Without an event, or with one that the service does not
   * know, it is an `exam_result.completed`. `POST /webhooks/{id}/test`
   */
  test(id: number, test: WebhookTest = {}, options?: RequestOptions): ApiPromise<TestDelivery> {
    return this.transport.call(testWebhook, { path: { id }, body: test }, options);
  }
}

/** Whether an object is no instance of a class, whose fields the check of the body looks at more closely. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

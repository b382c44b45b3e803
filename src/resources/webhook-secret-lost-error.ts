import { ExamServiceError } from '../core/errors/base.ts';

/**
 * `webhooks.ensure` registered an endpoint, but the answer with its signing secret was lost, and the secret cannot be
 * read again. Call `webhooks.rotateSecret(error.endpointId)` for a new one. `cause` says how the answer was lost.
 * Calling `ensure` again finds the endpoint but returns no secret.
 */
export class WebhookSecretLostError extends ExamServiceError {
  override readonly name = 'WebhookSecretLostError';
  override readonly code = 'webhook_secret_lost';
  /** Id of the endpoint whose secret is unknown. */
  readonly endpointId: number;

  constructor(endpointId: number, cause: ExamServiceError) {
    super(
      `webhooks.ensure: endpoint ${endpointId} was registered, but the answer with its secret was lost. ` +
        `Call webhooks.rotateSecret(${endpointId}) for a new one.`,
      { outcome: 'done', retryable: false },
      { cause },
    );
    this.endpointId = endpointId;
  }
}

import { ExamServiceError } from '../core/errors/base.ts';

/**
 * `webhooks.ensure` registered an endpoint, but the answer that shows its signing secret was lost: the endpoint is there, and
 * its secret cannot be read again. `webhooks.rotateSecret(error.endpointId)` gives it a new one. `cause` is how the answer
 * was lost. Calling `ensure` again finds the endpoint and gives no secret.
 */
export class WebhookSecretLostError extends ExamServiceError {
  override readonly name = 'WebhookSecretLostError';
  override readonly code = 'webhook_secret_lost';
  /** Id of the endpoint whose secret nobody has. */
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

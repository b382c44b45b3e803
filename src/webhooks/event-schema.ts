import { readWebhookEvent } from '../schemas/webhook-event.ts';
import type { StandardSchema } from '../util/standard-schema.ts';
import type { WebhookEvent } from './events.ts';

/** Standard Schema of an event, for events from another source, such as a queue behind the receiver. */
export const webhookEventSchema: StandardSchema<WebhookEvent> = {
  '~standard': {
    version: 1,
    vendor: 'exam-service-sdk',
    validate(value) {
      const wrong: string[] = [];
      const event = readWebhookEvent(value, wrong);
      const issues = wrong.map((path) => ({ message: 'is not as documented', path: path.split('.') }));
      return issues.length > 0 ? { issues } : { value: event as object as WebhookEvent };
    },
  },
};

// The two kinds of faults: in requests and in deliveries.

import { webhookEventNames } from '../../../schemas/webhook-event.ts';
import { operationNames } from '../service/operations.ts';
import { deliveryEffects, effectFields, requestEffects } from './fault.ts';
import type { FaultKind } from './fault-queue.ts';

const occasion = ['on', 'skip', 'times', 'effect'];

export const faultsOnRequests: FaultKind = {
  target: 'operation',
  names: operationNames,
  fields: [...occasion, 'delay', 'processed', ...effectFields],
  effects: requestEffects,
};

export const faultsOnDeliveries: FaultKind = {
  target: 'event',
  names: webhookEventNames,
  fields: occasion,
  effects: deliveryEffects,
};

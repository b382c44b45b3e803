// The two kinds of faults: in requests and in deliveries.

import { webhookEventNames } from '../../../schemas/webhook-event.ts';
import { unknownName } from '../../schema/unknown-name.ts';
import { operationNames } from '../service/operations.ts';
import {
  type DeliveryFault,
  deliveryEffects,
  type EffectField,
  type Fault,
  requestEffects,
} from './fault.ts';
import type { FaultKind } from './fault-queue.ts';
import { replacementOf } from './strike.ts';

const occasion = ['on', 'skip', 'times', 'rate', 'effect'];
const effectFields: readonly EffectField[] = ['status', 'body', 'headers', 'to'];

export const faultsOnRequests: FaultKind<Fault> = {
  target: 'operation',
  names: operationNames,
  fields: [...occasion, 'delay', 'processed', ...effectFields],
  check(fault) {
    checkEffect(fault);
    // What cannot be sent is rejected here, where it is injected.
    replacementOf(fault);
  },
};

export const faultsOnDeliveries: FaultKind<DeliveryFault> = {
  target: 'event',
  names: webhookEventNames,
  fields: occasion,
  check: ({ effect }) => checkName(effect, deliveryEffects),
};

/** @throws {TypeError} when there is no such effect, or a field does not go with it */
function checkEffect(fault: Fault): void {
  const { effect } = fault;
  if (effect !== undefined) checkName(effect, Object.keys(requestEffects));
  const own = effect === undefined ? [] : requestEffects[effect];
  const other = effectFields.find((field) => fault[field] !== undefined && !own.includes(field));
  if (other === undefined) return;
  const owners = Object.entries(requestEffects).flatMap(([name, fields]) =>
    fields.includes(other) ? name : [],
  );
  throw new TypeError(
    `The field \`${other}\` goes with the effect ${owners.join(', ')}, not with ${effect ?? 'a delay'}.`,
  );
}

function checkName(effect: string, known: readonly string[]): void {
  if (!known.includes(effect)) throw new TypeError(`${unknownName('effect', effect, known)}.`);
}

import { isEventName } from '../emulator/domain/events.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { DeliveryFault, Fault } from '../emulator/faults/fault.ts';
import { operations } from '../emulator/operations.ts';

type RequestPreset = Pick<Fault, 'delay' | 'effect'>;
type DeliveryPreset = Pick<DeliveryFault, 'effect'>;

/** Faults that the page offers, by the name that its form sends. */
export const faultPresets: Readonly<Record<string, RequestPreset | DeliveryPreset>> = {
  'status-500': { effect: { type: 'respond', status: 500, body: { message: 'Server Error' } } },
  'status-503': { effect: { type: 'respond', status: 503, body: { message: 'Service Unavailable' } } },
  'status-429': {
    effect: {
      type: 'respond',
      status: 429,
      body: { message: 'Too Many Attempts.' },
      headers: { 'Retry-After': '5' },
    },
  },
  delay: { delay: 3000 },
  reset: { effect: { type: 'reset' } },
  'reset-body': { effect: { type: 'reset-body' } },
  truncate: { effect: { type: 'truncate' } },
  html: { effect: { type: 'html' } },
  redirect: { effect: { type: 'redirect', to: 'https://elsewhere.example.test/login' } },
  duplicate: { effect: 'duplicate' },
  'wrong-signature': { effect: 'wrong-signature' },
  'stale-timestamp': { effect: 'stale-timestamp' },
};

/**
 * Injects a preset, for one operation or event where `on` names it.
 *
 * @throws {RangeError} when the name is not known
 */
export function injectPreset({ faults }: Emulator, name: string, times: number, on: string): void {
  const preset = faultPresets[name];
  if (preset === undefined) throw new RangeError(`There is no fault ${name}.`);
  if (isForDeliveries(preset)) {
    faults.injectDelivery({ ...preset, times, ...(isEventName(on) ? { on } : {}) });
    return;
  }
  const operation = operations.find((known) => known.name === on);
  faults.inject({ ...preset, times, ...(operation ? { on: operation.name } : {}) });
}

/** A fault in words. */
export function faultLabel(fault: RequestPreset | DeliveryPreset): string {
  if (isForDeliveries(fault)) return deliveryLabels[fault.effect];
  const late = fault.delay === undefined ? [] : [`${fault.delay / 1000} s late`];
  return [...(fault.effect === undefined ? [] : [effectLabel(fault.effect)]), ...late].join(', ');
}

function isForDeliveries(fault: RequestPreset | DeliveryPreset): fault is DeliveryPreset {
  return typeof fault.effect === 'string';
}

const deliveryLabels: Readonly<Record<DeliveryFault['effect'], string>> = {
  duplicate: 'Delivery sent twice',
  'wrong-signature': 'Delivery with a wrong signature',
  'stale-timestamp': 'Delivery signed ten minutes ago',
};

function effectLabel(effect: NonNullable<Fault['effect']>): string {
  switch (effect.type) {
    case 'respond': {
      const retryAfter = effect.headers?.['Retry-After'];
      return `Status ${effect.status}${retryAfter === undefined ? '' : `, Retry-After ${retryAfter} s`}`;
    }
    case 'html':
      return 'HTML instead of JSON';
    case 'redirect':
      return 'Redirect to another origin';
    case 'truncate':
      return 'JSON cut short';
    case 'reset-body':
      return 'Connection broken in the body';
    case 'reset':
      return 'Connection broken before the answer';
  }
}

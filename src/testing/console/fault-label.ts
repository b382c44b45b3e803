import type { DeliveryFault, Fault } from '../emulator/faults/fault.ts';
import { isForDeliveries } from '../emulator/faults/presets.ts';

/** The words in which the console describes a fault. */
export function faultLabel(fault: Fault | DeliveryFault): string {
  if (isForDeliveries(fault)) return deliveryLabels[fault.effect];
  const late = fault.delay === undefined ? [] : [`${fault.delay / 1000} s late`];
  return [...(fault.effect === undefined ? [] : [effectLabel(fault)]), ...late].join(', ');
}

const deliveryLabels: Readonly<Record<DeliveryFault['effect'], string>> = {
  duplicate: 'Delivery sent twice',
  'wrong-signature': 'Delivery with a wrong signature',
  'stale-timestamp': 'Delivery signed ten minutes ago',
};

function effectLabel({ effect, status, headers }: Fault): string {
  switch (effect) {
    case 'respond': {
      const retryAfter = headers?.['Retry-After'];
      return `Status ${status}${retryAfter === undefined ? '' : `, Retry-After ${retryAfter} s`}`;
    }
    case 'html':
      return 'HTML instead of JSON';
    case 'redirect':
      return 'Redirect to another origin';
    case 'truncate':
      return 'JSON cut short';
    case 'reset-body':
      return 'Connection broken in the body';
    default:
      return 'Connection broken before the response';
  }
}

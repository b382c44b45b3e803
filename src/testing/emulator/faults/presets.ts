// Faults with a name, for the control interface and the console.

import { type DeliveryFault, deliveryEffects, type Fault } from './fault.ts';

/** Common faults, by a name that is easy to type. */
export const faultPresets: Readonly<Record<string, Fault | DeliveryFault>> = {
  'status-500': { effect: 'respond', status: 500, body: { message: 'Server Error' } },
  'status-503': { effect: 'respond', status: 503, body: { message: 'Service Unavailable' } },
  'status-429': {
    effect: 'respond',
    status: 429,
    body: { message: 'Too Many Attempts.' },
    headers: { 'Retry-After': '5' },
  },
  delay: { delay: 3000 },
  reset: { effect: 'reset' },
  'reset-body': { effect: 'reset-body' },
  truncate: { effect: 'truncate' },
  html: { effect: 'html' },
  redirect: { effect: 'redirect', to: 'https://elsewhere.example.test/login' },
  duplicate: { effect: 'duplicate' },
  'wrong-signature': { effect: 'wrong-signature' },
  'stale-timestamp': { effect: 'stale-timestamp' },
};

/** Whether a fault strikes deliveries instead of requests. */
export function isForDeliveries(fault: Partial<Fault | DeliveryFault>): fault is DeliveryFault {
  return deliveryEffects.some((effect) => effect === fault.effect);
}

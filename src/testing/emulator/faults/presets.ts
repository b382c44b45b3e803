// Faults with a name, for the control interface and the console.

import type { DeliveryFault, Fault } from './fault.ts';

export type RequestPreset = Pick<Fault, 'delay' | 'effect'>;
export type DeliveryPreset = Pick<DeliveryFault, 'effect'>;

/** Common faults, by a name that is easy to type. */
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

/** Whether a fault strikes deliveries instead of requests. */
export function isForDeliveries(fault: RequestPreset | DeliveryPreset): fault is DeliveryPreset {
  return typeof fault.effect === 'string';
}

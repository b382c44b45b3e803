import type { DeliveryFaultEffect, Fault, FaultEffect } from '../emulator/faults/fault.ts';

/** The words in which the console names the effects. */
export const effectLabels: Readonly<Record<FaultEffect | DeliveryFaultEffect, string>> = {
  respond: 'Status',
  html: 'HTML instead of JSON',
  redirect: 'Redirect to another origin',
  truncate: 'JSON cut short',
  'reset-body': 'Connection broken in the body',
  reset: 'Connection broken before the response',
  duplicate: 'Delivery sent twice',
  'wrong-signature': 'Delivery with a wrong signature',
  'stale-timestamp': 'Delivery signed ten minutes ago',
};

interface Labelled extends Pick<Fault, 'delay' | 'status'> {
  readonly effect?: FaultEffect | DeliveryFaultEffect | undefined;
}

/** What a fault does. */
export function faultLabel({
  effect,
  delay,
  status = effect === 'respond' ? 500 : undefined,
}: Labelled): string {
  const what = effect === undefined ? [] : [effectLabels[effect], ...(status === undefined ? [] : [status])];
  return [what.join(' '), delay === undefined ? '' : `${delay / 1000} s late`].filter(Boolean).join(', ');
}

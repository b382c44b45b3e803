import { beforeEach, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import { body, mac, receiverOptions, secret, signedAt } from './helpers.ts';

const forged = () => signedWebhook({ body, secret: 'whsec_other', timestamp: signedAt }).toRequest();
const unsigned = () => new Request('https://receiver.test/', { method: 'POST', body });

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
/** A receiver without `onRejected`, its clock, and the warnings so far. */
function receiver() {
  const clock = { seconds: signedAt };
  const handle = createWebhookHandler({ ...receiverOptions, now: () => clock.seconds * 1000 });
  const warnings = () => vi.mocked(console.warn).mock.calls.map(([text]) => String(text));
  const reject = async (make: () => Request, times = 1) => {
    for (let time = 0; time < times; time++) expect((await handle(make())).status).toBe(400);
    await nextTurn();
  };
  return { clock, reject, warnings };
}

test('the first rejection for each reason is a warning with the call that explains it', async () => {
  const { reject, warnings } = receiver();
  await reject(forged, 3);
  await reject(unsigned, 3);
  const call =
    'To see why: `onRejected: async (e) => console.warn(await explainWebhookFailure(e, { secret }))`';
  expect(warnings()).toEqual([
    "exam-service-sdk rejected webhook deliveries (1): signature_mismatch: `secret` is not this endpoint's, or the body " +
      `was changed. ${call}`,
    expect.stringContaining('rejected webhook deliveries (1): header_missing: X-Cbt-Signature is missing'),
  ]);
  expect(Math.max(...warnings().map(({ length }) => length))).toBeLessThan(400);
});

test('within a minute the others are counted, and the next after it says how many', async () => {
  const { clock, reject, warnings } = receiver();
  await reject(forged, 3);
  clock.seconds += 59;
  await reject(forged);
  expect(warnings()).toHaveLength(1);
  clock.seconds += 1;
  await reject(forged);
  expect(warnings().at(-1)).toContain('rejected webhook deliveries (4): signature_mismatch:');
  await reject(forged);
  expect(warnings()).toHaveLength(2);
});

test('a clock that is set back does not silence the warnings', async () => {
  const { clock, reject, warnings } = receiver();
  await reject(unsigned);
  clock.seconds -= 3_600;
  await reject(unsigned);
  expect(warnings()).toHaveLength(2);
});

test('no timer is set, so that a process can end, and nothing of a delivery is shown', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { reject, warnings } = receiver();
  await reject(unsigned);
  expect(timers).not.toHaveBeenCalled();
  await reject(forged);
  for (const kept of [secret, 'whsec_other', 'P-0001', mac(body, signedAt, 'whsec_other')]) {
    expect(warnings().join()).not.toContain(kept);
  }
});

test('with onRejected there is no warning', async () => {
  const onRejected = vi.fn();
  const handle = createWebhookHandler({ ...receiverOptions, now: () => signedAt * 1000, onRejected });
  await handle(forged());
  expect(onRejected).toHaveBeenCalledOnce();
  expect(console.warn).not.toHaveBeenCalled();
});

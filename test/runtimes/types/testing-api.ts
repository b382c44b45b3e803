// Compiled only, against the published declarations.
import type { OperationName } from 'exam-service-sdk';
import type { ProxyOperationName } from 'exam-service-sdk/proxy';
import type {
  Assignment,
  DeliveryRecord,
  Emulator,
  EmulatorOperationName,
  EmulatorServer,
  EndpointRecord,
  SignedWebhook,
} from 'exam-service-sdk/testing';
import { createEmulator, type signedWebhook, signWebhook } from 'exam-service-sdk/testing';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : ['not the same', A, B]): void;

const emulator = createEmulator({ apiKey: 'test-key', style: 'envelope' });
same<typeof emulator, Emulator>();
same<ReturnType<typeof emulator.listen>, Promise<EmulatorServer>>();
same<(typeof emulator.requests)[number]['status'], number | null>();
emulator.faults.inject({ on: 'exams.list', effect: 'redirect', to: 'https://elsewhere.test' });
emulator.faults.inject({ on: ['webhooks.rotateSecret', 'webhooks.update'], effect: 'reset' });
same<EmulatorOperationName, ProxyOperationName>();
same<Exclude<EmulatorOperationName, OperationName>, never>();
// @ts-expect-error: a job has no request of its own
emulator.faults.inject({ on: 'participants.importAll', effect: 'reset' });
// @ts-expect-error: no such operation
emulator.faults.inject({ on: 'exams.remove', effect: 'reset' });
// @ts-expect-error: no such effect
emulator.faults.inject({ effect: 'explode' });
// @ts-expect-error: an effect on deliveries
emulator.faults.inject({ effect: 'duplicate' });
same<ReturnType<typeof emulator.control.seedWebhooks>, EndpointRecord[]>();
same<Parameters<typeof emulator.control.assign>[0], Assignment>();
same<ReturnType<typeof emulator.snapshot>['deliveries'][number], DeliveryRecord>();
// @ts-expect-error: no such style
createEmulator({ style: 'laravel' });

same<ReturnType<typeof signWebhook>, string>();
same<ReturnType<typeof signedWebhook>, SignedWebhook>();
declare const delivery: SignedWebhook;
// What it signs can be sent.
void fetch('https://receiver.test/webhooks', { method: 'POST', ...delivery.toNodeParts() });
// @ts-expect-error: nothing can be signed without the secret
signWebhook({ body: '{}' });

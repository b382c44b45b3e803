import type { DeliveryAttempt } from './emulator/deliveries/attempt.ts';
import type { Emulator, EmulatorActivity } from './emulator/emulator-api.ts';
import { createControl } from './emulator/emulator-control.ts';
import type { ReceivedRequest } from './emulator/http/request-log.ts';
import { Run } from './emulator/run.ts';
import { type EmulatorOptions, resolveOptions } from './emulator/service/emulator-options.ts';
import { restoreStore, takeSnapshot } from './emulator/state/snapshot.ts';
import { Store } from './emulator/state/store.ts';
import { rejectUnknown } from './schema/unknown-name.ts';

/**
 * Creates an emulator of the service, without data.
 *
 * @throws {TypeError} when the key is empty, or there is no such option
 * @throws {RangeError} when a numeric option is invalid, or a setting is none of its words
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const initial = resolveOptions(options);
  // Shared by everything, so that a changed setting takes effect everywhere.
  const settings = { ...initial };
  const requests: ReceivedRequest[] = [];
  const deliveries: DeliveryAttempt[] = [];
  const listeners = new Set<(activity: EmulatorActivity) => void>();
  const changed = () => emit({ type: 'change', request: null, attempt: null });
  let run = createRun(new Store(changed));

  function createRun(store: Store): Run {
    return new Run({ settings, requests, deliveries, emit }, store);
  }

  function emit(activity: EmulatorActivity): void {
    for (const listener of listeners) {
      try {
        listener(activity);
      } catch (error) {
        // The emulator continues: a listener that fails does not undo what happened.
        console.error('A listener of emulator.subscribe() failed:', error);
      }
    }
  }

  function restart(store: Store): void {
    run.stop();
    Object.assign(settings, initial);
    run = createRun(store);
    changed();
  }

  const emulator: Emulator = {
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return run.fetch(request);
    },
    async listen(options = {}) {
      rejectUnknown('option', options, ['port', 'host', 'allowHosts']);
      const { port = 0, host = '127.0.0.1', allowHosts = [] } = options;
      // Loaded on demand: the emulator itself also runs without Node.
      const [{ createFront }, { startServer }] = await Promise.all([
        import('./console/console.ts'),
        import('./emulator/http/server.ts'),
      ]);
      const front = createFront(emulator, (request) => run.fetch(request), [host, ...allowHosts]);
      return startServer(front, { port, host });
    },
    control: createControl(() => run, {
      configure(changes) {
        Object.assign(settings, resolveOptions({ ...settings, ...changes }));
        changed();
      },
      setClientActive(active) {
        run.isClientActive = active;
        changed();
      },
      isClientActive: () => run.isClientActive,
    }),
    faults: {
      inject: (fault) => run.faults.add(fault),
      injectDelivery: (fault) => run.deliveryFaults.add(fault),
      get waiting() {
        return [...run.faults.waiting, ...run.deliveryFaults.waiting];
      },
      clear() {
        run.faults.clear();
        run.deliveryFaults.clear();
      },
    },
    requests,
    deliveries,
    apiKey: settings.apiKey,
    clock: settings.clock,
    settings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => run.deliveries.settled(),
    snapshot: () => takeSnapshot(run.store),
    restore(snapshot) {
      restart(restoreStore(snapshot, changed));
      run.deliveries.resume();
    },
    reset: () => restart(new Store(changed)),
  };
  return emulator;
}

import type { DeliveryAttempt } from './emulator/deliveries/attempt.ts';
import { DeliveryEngine } from './emulator/deliveries/engine.ts';
import { createUuids } from './emulator/domain/uuid.ts';
import type { Emulator, EmulatorActivity } from './emulator/emulator-api.ts';
import { createControl } from './emulator/emulator-control.ts';
import type { DeliveryFault, Fault } from './emulator/faults/fault.ts';
import { FaultQueue } from './emulator/faults/fault-queue.ts';
import { faultsOnDeliveries, faultsOnRequests } from './emulator/faults/kinds.ts';
import { createApp } from './emulator/http/app.ts';
import { RateLimit } from './emulator/http/rate-limit.ts';
import { Log, type ReceivedRequest } from './emulator/http/request-log.ts';
import { type EmulatorOptions, resolveOptions, type Settings } from './emulator/service/emulator-options.ts';
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
  const listeners = new Set<(activity: EmulatorActivity) => void>();
  const changed = () => emit({ type: 'change', request: null, attempt: null });
  const faults = new FaultQueue<Fault>(faultsOnRequests, changed);
  const deliveryFaults = new FaultQueue<DeliveryFault>(faultsOnDeliveries, changed);
  const requests = new Log<ReceivedRequest>();
  const deliveries = new Log<DeliveryAttempt>();
  const rateLimit = new RateLimit(settings);
  const newId = createUuids();
  let clientActive = true;
  let world = createWorld(new Store(changed));
  let app = createServiceApp();

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

  function createWorld(store: Store) {
    const deliveryEngine = new DeliveryEngine({
      settings,
      store,
      newId,
      takeFault: (event) => deliveryFaults.take(event),
      log(attempt) {
        deliveries.add(attempt);
        emit({ type: 'delivery', request: null, attempt });
      },
    });
    return { settings, store, deliveries: deliveryEngine };
  }

  function createServiceApp() {
    return createApp(world, {
      requests,
      rateLimit,
      takeFault: (operation) => faults.take(operation),
      clientActive: () => clientActive,
      onResponse: (request) => emit({ type: 'request', request, attempt: null }),
    });
  }

  function configure(changes: Partial<Settings>): void {
    Object.assign(settings, resolveOptions({ ...settings, ...changes }));
    app = createServiceApp();
    changed();
  }

  function restart(store: Store): void {
    world.deliveries.stop();
    requests.clear();
    deliveries.clear();
    faults.clear();
    deliveryFaults.clear();
    rateLimit.reset();
    clientActive = true;
    Object.assign(settings, initial);
    world = createWorld(store);
    app = createServiceApp();
    changed();
  }

  const emulator: Emulator = {
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return app.fetch(request);
    },
    async listen(options = {}) {
      rejectUnknown('option', options, ['port', 'host', 'allowHosts']);
      const { port = 0, host = '127.0.0.1', allowHosts = [] } = options;
      // Loaded on demand: the emulator itself also runs without Node.
      const [{ createFront }, { startServer }] = await Promise.all([
        import('./console/console.ts'),
        import('./emulator/http/server.ts'),
      ]);
      const front = createFront(emulator, (request) => app.fetch(request), [host, ...allowHosts]);
      return startServer(front, { port, host });
    },
    control: createControl(() => world, {
      configure,
      setClientActive(active) {
        clientActive = active;
        changed();
      },
      isClientActive: () => clientActive,
    }),
    faults: {
      inject: (fault) => faults.add(fault),
      injectDelivery: (fault) => deliveryFaults.add(fault),
      get waiting() {
        return [...faults.waiting, ...deliveryFaults.waiting];
      },
      clear() {
        faults.clear();
        deliveryFaults.clear();
      },
    },
    requests: requests.entries,
    deliveries: deliveries.entries,
    apiKey: settings.apiKey,
    clock: settings.clock,
    settings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => world.deliveries.settled(),
    snapshot: () => takeSnapshot(world.store),
    restore(snapshot) {
      restart(restoreStore(snapshot, changed));
      world.deliveries.resume();
    },
    reset: () => restart(new Store(changed)),
  };
  return emulator;
}

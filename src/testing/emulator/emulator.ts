import { createControl } from './control.ts';
import { type DeliveryAttempt, DeliveryEngine } from './deliveries/engine.ts';
import { seededRandom } from './domain/random.ts';
import type { Emulator, EmulatorActivity } from './emulator-api.ts';
import type { DeliveryFault, Fault } from './faults/fault.ts';
import { FaultQueue } from './faults/fault-queue.ts';
import { createApp } from './http/app.ts';
import type { ServiceWorld } from './http/handler.ts';
import { Log, type ReceivedRequest } from './http/request-log.ts';
import { type EmulatorOptions, resolveOptions, type Settings } from './options.ts';
import { restoreStore, takeSnapshot } from './state/snapshot.ts';
import { Store } from './state/store.ts';

/**
 * Creates an emulator of the service, without data.
 *
 * @throws {TypeError} when the key is empty
 * @throws {RangeError} when a numeric option is invalid, or there is no such style
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const initial = resolveOptions(options);
  // Shared by everything, so that a changed setting takes effect everywhere.
  const settings = { ...initial };
  const listeners = new Set<(activity: EmulatorActivity) => void>();
  const changed = () => tell({ type: 'change' });
  let random = seededRandom(settings.seed);
  const faults = new FaultQueue<Fault>(() => random(), changed);
  const deliveryFaults = new FaultQueue<DeliveryFault>(() => random(), changed);
  const requests = new Log<ReceivedRequest>();
  const deliveries = new Log<DeliveryAttempt>();
  let clientActive = true;
  let world = createWorld(new Store(changed));
  let app = createServiceApp();

  function tell(activity: EmulatorActivity): void {
    for (const listener of listeners) listener(activity);
  }

  function createWorld(store: Store): ServiceWorld {
    const engine = new DeliveryEngine({
      settings,
      store,
      takeFault: (event) => deliveryFaults.take(event),
      log(attempt) {
        deliveries.add(attempt);
        tell({ type: 'delivery', attempt });
      },
    });
    return { settings, store, deliveries: engine, announce: (event, data) => engine.announce(event, data) };
  }

  function createServiceApp() {
    return createApp(world, {
      requests,
      takeFault: (operation) => faults.take(operation),
      clientActive: () => clientActive,
      answered: (request) => tell({ type: 'request', request }),
    });
  }

  function configure(changes: Partial<Settings>): void {
    Object.assign(settings, resolveOptions({ ...settings, ...changes }));
    app = createServiceApp();
    changed();
  }

  function startAnew(store: Store): void {
    world.deliveries.stop();
    requests.clear();
    deliveries.clear();
    faults.clear();
    deliveryFaults.clear();
    clientActive = true;
    Object.assign(settings, initial);
    random = seededRandom(settings.seed);
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
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      // Loaded on demand: the emulator itself also runs without Node.
      const [{ createConsole, isConsolePath }, { startServer }] = await Promise.all([
        import('../console/console.ts'),
        import('./server.ts'),
      ]);
      const page = createConsole(emulator, host);
      return startServer(
        (request) => (isConsolePath(new URL(request.url).pathname) ? page : app).fetch(request),
        { port, host },
      );
    },
    control: createControl(() => world, {
      configure,
      setClientActive(active) {
        clientActive = active;
      },
    }),
    faults: {
      inject(fault) {
        // Headers that cannot be sent are refused here, where it says so to whom it concerns.
        if (fault.effect?.type === 'respond') new Headers(fault.effect.headers);
        return faults.add(fault);
      },
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
    clock: settings.clock,
    settings,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => world.deliveries.settled(),
    snapshot: () => takeSnapshot(world.store),
    restore(snapshot) {
      startAnew(restoreStore(snapshot, changed));
      world.deliveries.resume();
    },
    reset: () => startAnew(new Store(changed)),
  };
  return emulator;
}

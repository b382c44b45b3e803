// Delivers the emulator's events to webhook endpoints, with retries and records.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import { randomHex } from '../domain/random.ts';
import { withOffset } from '../domain/timestamps.ts';
import type { DeliveryFault } from '../faults/fault.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { DeliveryRecord, EndpointRecord } from '../state/records.ts';
import type { Store } from '../state/store.ts';
import type { AttemptResult, DeliveryAttempt } from './attempt.ts';
import { encodePayload, send } from './send.ts';
import { signDelivery } from './signature.ts';

/** Age of a signature that a receiver must reject: twice the tolerance of 300 seconds. */
const STALE_SECONDS = 600;

interface Dependencies {
  readonly settings: Settings;
  readonly newId: (now: number) => string;
  readonly store: Store;
  readonly takeFault: (event: string) => DeliveryFault | undefined;
  readonly log: (attempt: DeliveryAttempt) => void;
}

/** Sends events to endpoints, and retries and records deliveries. */
export class DeliveryEngine {
  readonly #with: Dependencies;
  readonly #underWay = new Set<Promise<void>>();
  readonly #latest = new Map<number, Promise<void>>();
  readonly #waiting = new Map<string, () => void>();
  readonly #end = new AbortController();

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Queues an event for every active endpoint that is subscribed to it. */
  announce(event: WebhookEventName, data: Readonly<Record<string, unknown>>): void {
    for (const endpoint of this.#with.store.endpoints.rows) {
      if (endpoint.is_active && endpoint.events.includes(event)) this.queue(endpoint, event, data);
    }
  }

  /** Queues an event for one endpoint; the first attempt starts immediately. */
  queue(endpoint: EndpointRecord, event: WebhookEventName, data: Readonly<Record<string, unknown>>): void {
    const { settings, store, newId } = this.#with;
    const now = settings.clock.now();
    const delivery = store.saveDelivery({
      id: newId(now),
      endpoint_id: endpoint.id,
      event,
      status: 'pending',
      attempts: 0,
      response_code: null,
      response_body: null,
      error_message: null,
      payload: { event, created_at: withOffset(now, settings.utcOffset), data },
      delivered_at: null,
      created_at: now,
    });
    this.#attemptIn(0, delivery);
  }

  /**
   * Resumes the pending deliveries of a snapshot: one that was never attempted starts immediately, any other after the
   * wait that follows its last attempt.
   */
  resume(): void {
    const { settings, store } = this.#with;
    for (const delivery of store.endpoints.rows.flatMap(({ id }) => store.deliveries(id))) {
      if (delivery.status !== 'pending') continue;
      this.#attemptIn(settings.retryDelays[delivery.attempts - 1] ?? 0, delivery);
    }
  }

  /**
   * Makes a further attempt at a delivery, now instead of when its retry is due.
   *
   * @throws {Error} when an attempt at it is in flight
   */
  resend(delivery: DeliveryRecord): void {
    const cancelRetry = this.#waiting.get(delivery.id);
    if (delivery.status === 'pending' && cancelRetry === undefined)
      throw new Error(`The delivery ${delivery.id} is being sent.`);
    cancelRetry?.();
    this.#waiting.delete(delivery.id);
    this.#attemptIn(0, this.#with.store.saveDelivery({ ...delivery, status: 'pending' }));
  }

  /** Resolves when no attempt is in flight; it does not wait for scheduled retries. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Starts no further attempts, and aborts those in flight, which are then recorded nowhere. */
  stop(): void {
    this.#end.abort();
    for (const cancel of this.#waiting.values()) cancel();
  }

  get #stopped(): boolean {
    return this.#end.signal.aborted;
  }

  #attemptIn(delay: number, delivery: DeliveryRecord): void {
    if (this.#stopped) return;
    const task = () => {
      this.#waiting.delete(delivery.id);
      return this.#inTurn(delivery);
    };
    const cancel = this.#with.settings.clock.schedule(delay, task, true);
    if (delay > 0) this.#waiting.set(delivery.id, cancel);
  }

  /** One attempt at a time per endpoint, so that events arrive in the order in which they happened. */
  #inTurn(delivery: DeliveryRecord): Promise<void> {
    const before = this.#latest.get(delivery.endpoint_id) ?? Promise.resolve();
    const attempt = before.then(() => this.#attempt(delivery)).finally(() => this.#underWay.delete(attempt));
    this.#latest.set(delivery.endpoint_id, attempt);
    this.#underWay.add(attempt);
    return attempt;
  }

  async #attempt(delivery: DeliveryRecord): Promise<void> {
    const { settings, store, takeFault } = this.#with;
    const endpoint = store.endpoints.get(delivery.endpoint_id);
    if (endpoint === undefined || this.#stopped) return;
    if (!endpoint.is_active) {
      store.saveDelivery({ ...delivery, status: 'failed', error_message: 'The endpoint is not active.' });
      return;
    }
    const numbered = { ...delivery, attempts: delivery.attempts + 1 };
    const effect = takeFault(delivery.event)?.effect;
    let outcome = await this.#send(endpoint, numbered, effect);
    if (effect === 'duplicate' && !this.#stopped) outcome = await this.#send(endpoint, numbered, effect);
    if (this.#stopped) return;
    this.#record({ ...numbered, ...outcome }, settings.clock.now());
  }

  async #send(
    endpoint: EndpointRecord,
    delivery: DeliveryRecord,
    effect: DeliveryFault['effect'] | undefined,
  ): Promise<AttemptResult> {
    const { settings, log } = this.#with;
    const sentAt = settings.clock.now();
    const age = effect === 'stale-timestamp' ? STALE_SECONDS : 0;
    const secret = effect === 'wrong-signature' ? randomHex(32) : endpoint.secret;
    const body = encodePayload(delivery.payload);
    const signature = await signDelivery(secret, Math.floor(sentAt / 1000) - age, body);
    const { url } = endpoint;
    const { deliveryTimeout: timeout } = settings;
    const outcome = await send(settings.fetch, { url, body, signature, timeout, end: this.#end.signal });
    if (this.#stopped) return outcome;
    log({
      delivery_id: delivery.id,
      endpoint_id: endpoint.id,
      event: delivery.event,
      url,
      attempt: delivery.attempts,
      signature,
      body,
      sent_at: sentAt,
      ...outcome,
    });
    return outcome;
  }

  /** Records the result of an attempt for its delivery and its endpoint, as they are by now; nothing if the endpoint is deleted. */
  #record(delivery: DeliveryRecord, now: number): void {
    const { settings, store } = this.#with;
    const endpoint = store.endpoints.get(delivery.endpoint_id);
    if (endpoint === undefined) return;
    if (delivery.error_message === null) {
      store.saveDelivery({ ...delivery, status: 'delivered', delivered_at: now });
      store.endpoints.replace({ ...endpoint, consecutive_failures: 0, last_success_at: now });
      return;
    }
    const failures = endpoint.consecutive_failures + 1;
    const disabled = endpoint.is_active && failures >= settings.disableAfterFailures;
    store.endpoints.replace({
      ...endpoint,
      consecutive_failures: failures,
      last_failure_at: now,
      ...(disabled ? { is_active: false, is_disabled_by_system: true, disabled_at: now } : {}),
    });
    const delay = settings.retryDelays[delivery.attempts - 1];
    if (delay === undefined || disabled) store.saveDelivery({ ...delivery, status: 'failed' });
    else this.#attemptIn(delay, store.saveDelivery(delivery));
  }
}

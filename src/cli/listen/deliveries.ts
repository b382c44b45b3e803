// Polls the delivery records of an endpoint for those that are new.

import type { Webhooks } from '../../resources/webhooks.ts';
import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { parseTime } from '../../util/iso-time.ts';
import { ageOf, compareAges } from '../../webhooks/recover/order.ts';
import { CommandError } from '../errors.ts';

const MOST_PER_PAGE = 100;
/** Most deliveries to read in one poll: a limit on memory. */
const MOST_AT_ONCE = 10_000;
/** How much a delivery may be older than others that were listed before it, in milliseconds. */
const LATE_MS = 10_000;

/** The deliveries of an endpoint that were not returned before. Each poll reads the list, newest first, up to a page without any. */
export class NewDeliveries {
  readonly #webhooks: Webhooks;
  readonly #endpointId: number;
  /** The times of those that were returned, by id. What is older than `#since` counts as returned. */
  readonly #seen = new Map<string, number>();
  #since: number;

  /** Everything since a time, in milliseconds since 1970. */
  constructor(webhooks: Webhooks, endpointId: number, since: number) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#since = since;
  }

  /** Everything that is not in the list yet. */
  static async fromNow(webhooks: Webhooks, endpointId: number, signal: AbortSignal): Promise<NewDeliveries> {
    const { data } = await webhooks.deliveries(endpointId, { per_page: 1 }, { signal });
    const [newest] = data;
    const since = newest === undefined ? 0 : timeOf(newest) - LATE_MS;
    const deliveries = new NewDeliveries(webhooks, endpointId, since);
    await deliveries.take(signal);
    return deliveries;
  }

  /**
   * The new ones, ordered by time, and within a second by id where ids rise with time.
   *
   * @throws {CommandError} when the list does not begin with the newest, or holds too many new ones
   */
  async take(signal: AbortSignal): Promise<WebhookDelivery[]> {
    const found = new Map<string, WebhookDelivery>();
    const list = this.#webhooks.deliveries(this.#endpointId, { per_page: MOST_PER_PAGE }, { signal });
    for await (const { data, page } of list.pages()) {
      checkOrder([...data.map(timeOf), ...(page === 1 ? this.#seen.values() : [])]);
      const added = data.filter(
        (delivery) => timeOf(delivery) >= this.#since && !this.#seen.has(delivery.id),
      );
      if (added.length === 0) break;
      for (const delivery of added) found.set(delivery.id, delivery);
      if (found.size > MOST_AT_ONCE)
        throw new CommandError(`There are more than ${MOST_AT_ONCE} deliveries: choose a shorter --since.`);
    }
    // Only now, so that what an outage interrupts is read again.
    for (const delivery of found.values()) {
      const time = timeOf(delivery);
      this.#seen.set(delivery.id, time);
      this.#since = Math.max(this.#since, time - LATE_MS);
    }
    for (const [id, time] of this.#seen) if (time < this.#since) this.#seen.delete(id);
    const aged = [...found.values()].map((delivery) => ({ delivery, age: ageOf(delivery) }));
    return aged.sort((a, b) => compareAges(a.age, b.age)).map(({ delivery }) => delivery);
  }
}

/** @throws {CommandError} for a text that is no time with an offset */
function timeOf({ id, created_at }: WebhookDelivery): number {
  const time = parseTime(created_at);
  if (time !== undefined) return time;
  throw new CommandError(`The time of delivery ${id} has no UTC offset: new ones cannot be found.`);
}

/** @throws {CommandError} when something is newer than the first, so that new ones do not stand at the front of the list */
function checkOrder(times: readonly number[]): void {
  const [first = 0] = times;
  if (times.every((time) => time <= first + LATE_MS)) return;
  throw new CommandError('The service does not list the newest deliveries first: new ones cannot be found.');
}

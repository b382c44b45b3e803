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

/**
 * The deliveries of an endpoint that were not returned before. Each poll reads the list, newest first, up to a page without any. New is
 * what has a new time and, on the first page, what is newer than a delivery that was there before: the service's clock, or its data, may
 * go back.
 */
export class NewDeliveries {
  readonly #webhooks: Webhooks;
  readonly #endpointId: number;
  readonly #onBack: () => void;
  /** The times of those that were returned, by id. What is older than `#since` counts as returned. */
  readonly #seen = new Map<string, number>();
  #since: number;
  /** The first page of the last poll; null before the first. */
  #last: { readonly ids: ReadonlySet<string>; readonly isWhole: boolean } | null = null;

  /**
   * Everything since a time, in milliseconds since 1970.
   *
   * @param onBack Called when what is new is older than what was returned before.
   */
  constructor(webhooks: Webhooks, endpointId: number, since: number, onBack: () => void = () => {}) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#since = since;
    this.#onBack = onBack;
  }

  /** Everything that is not in the list yet. */
  static async fromNow(
    webhooks: Webhooks,
    endpointId: number,
    signal: AbortSignal,
    onBack?: () => void,
  ): Promise<NewDeliveries> {
    const { data } = await webhooks.deliveries(endpointId, { per_page: 1 }, { signal });
    const [newest] = data;
    const since = newest === undefined ? 0 : timeOf(newest) - LATE_MS;
    const deliveries = new NewDeliveries(webhooks, endpointId, since, onBack);
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
    let newest = 0;
    let isLost = false;
    let last = this.#last;
    for await (const page of list.pages()) {
      const { data } = page;
      checkOrder(data.map(timeOf), LATE_MS);
      let floor = this.#since;
      if (page.page === 1) {
        floor = Math.min(floor, this.#floorOf(data));
        isLost = this.#isLost(data);
        if (isLost) newest = Math.max(0, ...data.map(timeOf));
        last = { ids: new Set(data.map(({ id }) => id)), isWhole: !page.hasNextPage() };
      }
      const added = data.filter((delivery) => timeOf(delivery) >= floor && !this.#isKnown(delivery));
      if (added.length === 0) break;
      for (const delivery of added) found.set(delivery.id, delivery);
      newest = Math.max(newest, ...added.map(timeOf));
      if (found.size > MOST_AT_ONCE)
        throw new CommandError(`There are more than ${MOST_AT_ONCE} deliveries: choose a shorter --since.`);
    }
    // Only now, so that what an outage interrupts is read again.
    this.#last = last;
    if (isLost) this.#seen.clear();
    if (isLost || (found.size > 0 && newest < this.#since)) {
      this.#since = newest - LATE_MS;
      this.#onBack();
    }
    for (const delivery of found.values()) {
      const time = timeOf(delivery);
      this.#seen.set(delivery.id, time);
      this.#since = Math.max(this.#since, time - LATE_MS);
    }
    for (const [id, time] of this.#seen) if (time < this.#since) this.#seen.delete(id);
    const aged = [...found.values()].map((delivery) => ({ delivery, age: ageOf(delivery) }));
    return aged.sort((a, b) => compareAges(a.age, b.age)).map(({ delivery }) => delivery);
  }

  #isKnown({ id }: WebhookDelivery): boolean {
    return this.#seen.has(id) || this.#last?.ids.has(id) === true;
  }

  /** From which time on a delivery of the first page must be new unless it is known: everything, where none is or all were. */
  #floorOf(data: readonly WebhookDelivery[]): number {
    if (this.#last === null) return this.#since;
    const known = data.filter((delivery) => this.#isKnown(delivery)).map(timeOf);
    return this.#last.isWhole || known.length === 0 ? 0 : Math.min(...known) + 1;
  }

  /**
   * Whether what was returned is no longer there.
   *
   * @throws {CommandError} when the list shows that it does not begin with the newest
   */
  #isLost(data: readonly WebhookDelivery[]): boolean {
    const times = data.map(timeOf);
    const [newest = 0] = times;
    if ([...this.#seen.values()].every((time) => time <= newest + LATE_MS)) return false;
    checkOrder(times, 0);
    return true;
  }
}

/** @throws {CommandError} for a text that is no time with an offset */
function timeOf({ id, created_at }: WebhookDelivery): number {
  const time = parseTime(created_at);
  if (time !== undefined) return time;
  throw new CommandError(`The time of delivery ${id} has no UTC offset: new ones cannot be found.`);
}

/** @throws {CommandError} when something is newer than the first, so that new ones do not stand at the front of the list */
function checkOrder(times: readonly number[], lateMs: number): void {
  const [first = 0] = times;
  if (times.every((time) => time <= first + lateMs)) return;
  throw new CommandError('The service does not list the newest deliveries first: new ones cannot be found.');
}

// Polls the delivery records of an endpoint for those that are new.

import type { Webhooks } from '../../resources/webhooks.ts';
import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { ageOf, compareAges, parseTime, readUntilComplete } from '../../webhooks/recover/order.ts';
import { CommandError } from '../errors.ts';

const MOST_PER_PAGE = 100;
/** Most deliveries to remember, and to read in one poll: a limit on memory. */
const MOST_REMEMBERED = 10_000;

/**
 * The deliveries of an endpoint that were not returned before. The order of the list is undocumented, so each poll reads
 * both of its ends and goes on from there while a page is entirely new. If that does not find as many new ones as the list
 * has grown by, it reads the whole list.
 */
export class NewDeliveries {
  readonly #webhooks: Webhooks;
  readonly #endpointId: number;
  readonly #seen = new Map<string, number>();
  #since: number;
  /** How many the list had at the last poll. */
  #total = 0;

  private constructor(webhooks: Webhooks, endpointId: number, since: number) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#since = since;
  }

  /** Everything since `since`, however long ago. */
  static since(webhooks: Webhooks, endpointId: number, since: number): NewDeliveries {
    return new NewDeliveries(webhooks, endpointId, since);
  }

  /** Everything created from now on, by the service's own clock. */
  static async fromNow(webhooks: Webhooks, endpointId: number, signal: AbortSignal): Promise<NewDeliveries> {
    const query = { per_page: MOST_PER_PAGE };
    const { data, meta } = await webhooks.deliveries(endpointId, query, { signal }).withResponse();
    const now = Date.parse(meta.headers.get('date') ?? '') || Date.now();
    const deliveries = new NewDeliveries(webhooks, endpointId, now);
    deliveries.#total = data.total ?? 0;
    // That clock counts whole seconds, so deliveries already listed may be from the current one.
    await deliveries.take(signal);
    return deliveries;
  }

  /** The new ones, ordered by time, and within a second by id where ids rise with time. */
  async take(signal: AbortSignal): Promise<WebhookDelivery[]> {
    const first = await this.#list(1, signal);
    const { total, lastPage } = first;
    if (total === null || lastPage === null) {
      throw new CommandError(
        'The service does not say how many deliveries there are: new ones cannot be found.',
      );
    }
    const found = new Map<string, WebhookDelivery>();
    const read = async (page: number) => this.#addNew(found, (await this.#list(page, signal)).data);
    let front = 1;
    let back = lastPage + 1;
    let isNew = this.#addNew(found, first.data);
    while (isNew && front < lastPage) isNew = await read(++front);
    for (isNew = true; isNew && front < back - 1; ) isNew = await read(--back);
    if (found.size < total - this.#total) {
      const list = () => this.#list(1, signal);
      await readUntilComplete(list, (delivery) => {
        const { size } = found;
        this.#addNew(found, [delivery]);
        return found.size > size;
      });
    }
    // Only now, so that what an outage interrupts is read again.
    this.#total = total;
    const aged = [...found.values()].map((delivery) => ({ delivery, age: ageOf(delivery) }));
    const sorted = aged.sort((a, b) => compareAges(a.age, b.age)).map(({ delivery }) => delivery);
    for (const delivery of sorted) this.#remember(delivery);
    return sorted;
  }

  #list(page: number, signal: AbortSignal) {
    return this.#webhooks.deliveries(this.#endpointId, { per_page: MOST_PER_PAGE, page }, { signal });
  }

  /** Adds the new ones of a page to `found`. Returns whether all of them are. */
  #addNew(found: Map<string, WebhookDelivery>, page: readonly WebhookDelivery[]): boolean {
    const isRecent = (time: number | undefined) => time === undefined || time >= this.#since;
    const added = page.filter(({ id, created_at }) => isRecent(parseTime(created_at)) && !this.#seen.has(id));
    for (const delivery of added) found.set(delivery.id, delivery);
    if (found.size <= MOST_REMEMBERED) return added.length === page.length;
    throw new CommandError(`There are more than ${MOST_REMEMBERED} deliveries: choose a shorter --since.`);
  }

  /** A delivery that is forgotten, and everything older, counts as returned. */
  #remember({ id, created_at }: WebhookDelivery): void {
    this.#seen.set(id, parseTime(created_at) ?? this.#since);
    const [oldest] = this.#seen;
    if (oldest === undefined || this.#seen.size <= MOST_REMEMBERED) return;
    this.#seen.delete(oldest[0]);
    this.#since = Math.max(this.#since, oldest[1] + 1);
  }
}

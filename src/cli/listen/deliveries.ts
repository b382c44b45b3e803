// Polls the delivery records of an endpoint for those that are new.

import type { WebhookDelivery } from '../../resources/webhook-types.ts';
import type { Webhooks } from '../../resources/webhooks.ts';
import { parseTime } from '../../webhooks/delivery-record.ts';
import { CommandError } from '../errors.ts';

const MOST_PER_PAGE = 100;
/** Most deliveries to remember, and to read at once: a limit on memory. */
const MOST_REMEMBERED = 10_000;

/**
 * The deliveries of an endpoint that were not returned before. The order in which the service lists them is
 * undocumented: the total says how many are new, and pages are read until that many are found.
 */
export class NewDeliveries {
  readonly #webhooks: Webhooks;
  readonly #endpointId: number;
  readonly #seen = new Map<string, number>();
  #since: number;
  /** Total of the list when it was last read; `null` before, so that the whole list is read. */
  #known: number | null;

  private constructor(webhooks: Webhooks, endpointId: number, since: number, known: number | null) {
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#since = since;
    this.#known = known;
  }

  /** Everything since `since`, however long ago. */
  static since(webhooks: Webhooks, endpointId: number, since: number): NewDeliveries {
    return new NewDeliveries(webhooks, endpointId, since, null);
  }

  /** Everything created from now on, by the service's own clock. */
  static async fromNow(webhooks: Webhooks, endpointId: number, signal: AbortSignal): Promise<NewDeliveries> {
    const { data, response } = await webhooks
      .deliveries(endpointId, { per_page: MOST_PER_PAGE }, { signal })
      .withResponse();
    const now = Date.parse(response.headers.get('date') ?? '');
    const deliveries = new NewDeliveries(
      webhooks,
      endpointId,
      Number.isNaN(now) ? Date.now() : now,
      data.total,
    );
    // The service's clock counts whole seconds, so deliveries already listed may be from the current one.
    for (const { id } of data.data) deliveries.#seen.set(id, deliveries.#since);
    return deliveries;
  }

  /** The new ones, oldest first. */
  async take(signal: AbortSignal): Promise<WebhookDelivery[]> {
    const found = new Map<string, { readonly at: number; readonly delivery: WebhookDelivery }>();
    let total: number | null = null;
    const query = { per_page: MOST_PER_PAGE };
    for await (const page of this.#webhooks.deliveries(this.#endpointId, query, { signal }).pages()) {
      const before = found.size;
      for (const delivery of page.data) {
        const at = parseTime(delivery.created_at) ?? this.#since;
        if (at >= this.#since && !this.#seen.has(delivery.id)) found.set(delivery.id, { at, delivery });
      }
      if (found.size > MOST_REMEMBERED) {
        throw new CommandError(
          `There are more than ${MOST_REMEMBERED} deliveries: choose a shorter --since.`,
        );
      }
      total ??= page.total;
      const isAllNew = found.size - before === page.data.length;
      if (this.#hasAll(found.size, total) && !isAllNew) break;
    }
    this.#known = total;
    const sorted = [...found.values()].sort(
      (a, b) => a.at - b.at || (a.delivery.id < b.delivery.id ? -1 : 1),
    );
    for (const { at, delivery } of sorted) this.#remember(delivery.id, at);
    return sorted.map(({ delivery }) => delivery);
  }

  #hasAll(found: number, total: number | null): boolean {
    return total !== null && this.#known !== null && found >= total - this.#known;
  }

  /** Whatever is forgotten, and everything older, counts as returned. */
  #remember(id: string, at: number): void {
    this.#seen.set(id, at);
    const [oldest] = this.#seen;
    if (oldest === undefined || this.#seen.size <= MOST_REMEMBERED) return;
    this.#seen.delete(oldest[0]);
    this.#since = Math.max(this.#since, oldest[1] + 1);
  }
}

// Polls the delivery records of an endpoint for those that are new.

import { hasStatus } from '../../core/errors/api-error.ts';
import type { WebhookDelivery } from '../../resources/webhook-types.ts';
import type { Webhooks } from '../../resources/webhooks.ts';
import { parseTime } from '../../webhooks/recover/recover.ts';
import { CommandError } from '../errors.ts';

const MOST_PER_PAGE = 100;
/** Most deliveries to remember, and to read at once: a limit on memory. */
const MOST_REMEMBERED = 10_000;

/** Where the new ones are in the list, as far as it has shown: the order is undocumented. */
type Order = 'newest first' | 'oldest first' | 'unknown';

interface Row {
  readonly delivery: WebhookDelivery;
  readonly at: number;
  readonly isNew: boolean;
}

/**
 * The deliveries of an endpoint that were not returned before. Pages are read from the end of the list at which the new
 * ones are, until a page holds one that is known; while that end is not known, until as many are found as the list has
 * grown by.
 */
export class NewDeliveries {
  readonly #webhooks: Webhooks;
  readonly #endpointId: number;
  readonly #seen = new Map<string, number>();
  #since: number;
  #order: Order = 'unknown';
  #lastPage = 1;
  /** Total of the list when it was last read; `null` before, so that the whole list is read. */
  #known: number | null = null;

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
    const { data, meta } = await webhooks
      .deliveries(endpointId, { per_page: MOST_PER_PAGE }, { signal })
      .withResponse();
    const now = Date.parse(meta.headers.get('date') ?? '');
    const deliveries = new NewDeliveries(webhooks, endpointId, Number.isNaN(now) ? Date.now() : now);
    deliveries.#known = data.total;
    deliveries.#lastPage = data.lastPage ?? 1;
    const first = data.data.map((delivery) => deliveries.#rowOf(delivery));
    const last = deliveries.#lastPage > 1 ? await deliveries.#read(deliveries.#lastPage, signal) : [];
    deliveries.#order = orderOf([...first, ...last]) ?? 'unknown';
    // The service's clock counts whole seconds, so deliveries already listed may be from the current one.
    for (const { delivery } of [...first, ...last]) deliveries.#seen.set(delivery.id, deliveries.#since);
    return deliveries;
  }

  /** The new ones, oldest first: within a second, as they stand in the list. */
  async take(signal: AbortSignal): Promise<WebhookDelivery[]> {
    const pages = new Map<number, readonly Row[]>();
    const before = this.#known;
    for (let number: number | null = this.#order === 'oldest first' ? this.#lastPage : 1; number !== null; ) {
      pages.set(number, await this.#read(number, signal));
      const found = newOf(pages).length;
      if (found > MOST_REMEMBERED) {
        throw new CommandError(
          `There are more than ${MOST_REMEMBERED} deliveries: choose a shorter --since.`,
        );
      }
      const hasAll = before !== null && this.#known !== null && found >= this.#known - before;
      number = this.#next(number, pages, hasAll);
    }
    return this.#inOrder(pages);
  }

  async #read(number: number, signal: AbortSignal): Promise<Row[]> {
    const query = { per_page: MOST_PER_PAGE, page: number };
    const page = await this.#webhooks.deliveries(this.#endpointId, query, { signal }).catch((error) => {
      // A list that has become shorter may have no such page any more.
      if (number > 1 && hasStatus(error, 404)) return null;
      throw error;
    });
    if (page === null) {
      this.#lastPage = 1;
      return [];
    }
    this.#known = page.total;
    this.#lastPage = page.lastPage ?? (page.hasNextPage() ? number + 1 : number);
    return page.data.map((delivery) => this.#rowOf(delivery));
  }

  /** The page to read after page `number`; `null` when everything new is found. */
  #next(number: number, pages: ReadonlyMap<number, readonly Row[]>, hasAll: boolean): number | null {
    const last = this.#lastPage;
    const isAllNew = (pages.get(number) ?? []).every(({ isNew }) => isNew);
    const goesOn = isAllNew || !hasAll;
    if (this.#order !== 'oldest first' && goesOn && number < last) return number + 1;
    if (this.#order === 'newest first') return null;
    // Where the new ones are at the end of the list, or may be.
    if (!pages.has(last)) return last;
    const previous = Math.min(...pages.keys()) - 1;
    return this.#order === 'oldest first' && goesOn && previous > 0 ? previous : null;
  }

  #rowOf(delivery: WebhookDelivery): Row {
    const at = parseTime(delivery.created_at) ?? this.#since;
    return { delivery, at, isNew: at >= this.#since && !this.#seen.has(delivery.id) };
  }

  #inOrder(pages: ReadonlyMap<number, readonly Row[]>): WebhookDelivery[] {
    const rows = [...pages].sort(([a], [b]) => a - b).flatMap(([, page]) => page);
    this.#order = orderOf(rows) ?? this.#order;
    const listed = this.#order === 'oldest first' ? newOf(pages) : newOf(pages).toReversed();
    const unique = new Map(listed.map((row) => [row.delivery.id, row]));
    // The sort is stable, so that the place in the list decides between those of one second.
    const sorted = [...unique.values()].sort((a, b) => a.at - b.at);
    for (const { delivery, at } of sorted) this.#remember(delivery.id, at);
    return sorted.map(({ delivery }) => delivery);
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

function newOf(pages: ReadonlyMap<number, readonly Row[]>): Row[] {
  return [...pages]
    .sort(([a], [b]) => a - b)
    .flatMap(([, rows]) => rows)
    .filter(({ isNew }) => isNew);
}

/**
 * The order of neighbours in the list, by their times, and within a second by which of them is known from before;
 * `undefined` where all are alike. Where most of them go one way, that is the order: clocks of a service may differ.
 */
function orderOf(rows: readonly Row[]): Order | undefined {
  let rising = 0;
  let falling = 0;
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    const difference = row.at - before.at || Number(row.isNew) - Number(before.isNew);
    if (difference > 0) rising += 1;
    if (difference < 0) falling += 1;
  }
  if (rising === 0 && falling === 0) return undefined;
  const minority = Math.min(rising, falling) / (rising + falling);
  if (minority > MOST_EXCEPTIONS) return 'unknown';
  return rising > falling ? 'oldest first' : 'newest first';
}

const MOST_EXCEPTIONS = 0.2;

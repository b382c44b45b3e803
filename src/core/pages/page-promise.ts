import { isCount } from '../../util/numbers.ts';
import { ApiPromise } from '../api-promise.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { Page } from './page.ts';

/**
 * The promise of a list operation. Awaited, it gives one `Page`; iterated with `for await`, every item from
 * that page on, fetching further pages as they are needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** The items, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return Page.items(this);
  }

  /** The pages, one after the other. With `maxItems`, the page that reaches it is the last, and is whole. */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return Page.pages(this);
  }

  /**
   * Collects items into an array, at most `maxItems` of them. The bound is mandatory, because a list may hold
   * more than the memory does; iterate with `for await` to read a list of any length.
   */
  toArray(options: { readonly maxItems: number }): Promise<Item[]> {
    // Plain JavaScript may call it without the bound; then nothing must be sent.
    const maxItems: unknown = options?.maxItems;
    if (!isCount(maxItems)) {
      return this.refuse(
        new ConfigurationError('toArray() needs `maxItems`, a positive integer: the list may be long.'),
      );
    }
    return this.#toArray(maxItems);
  }

  async #toArray(maxItems: number): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of Page.items(this, maxItems)) items.push(item);
    return items;
  }
}

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

  /**
   * The pages, one after the other. With `maxItems`, the page that reaches it is the last, and is whole. With `distinct`,
   * the `data` of a page lacks the items that were given already, and may be empty.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return Page.pages(this);
  }

  /**
   * Collects items into an array, at most `maxItems` of them. The bound is mandatory, because a list may hold
   * more than the memory does; iterate with `for await` to read a list of any length.
   */
  toArray(options: { readonly maxItems: number }): Promise<Item[]> {
    return this.#collect('toArray', options, (items: Item[], item) => items.push(item), []);
  }

  /**
   * Collects items into a `Map` by their keys; of several items with the same key, the last one stays. At most `maxItems`
   * items are read. The bound is mandatory, as with `toArray`.
   */
  toMap<Key>(keyOf: (item: Item) => Key, options: { readonly maxItems: number }): Promise<Map<Key, Item>> {
    if (typeof keyOf !== 'function') {
      return this.refuse(new ConfigurationError('toMap() needs a function from an item to its key.'));
    }
    const add = (map: Map<Key, Item>, item: Item) => map.set(keyOf(item), item);
    return this.#collect('toMap', options, add, new Map());
  }

  #collect<Collection>(
    method: string,
    options: { readonly maxItems: number },
    add: (to: Collection, item: Item) => unknown,
    collection: Collection,
  ): Promise<Collection> {
    // Plain JavaScript may call it without the bound; then nothing must be sent.
    const maxItems: unknown = options?.maxItems;
    if (!isCount(maxItems)) {
      return this.refuse(
        new ConfigurationError(`${method}() needs \`maxItems\`, a positive integer: the list may be long.`),
      );
    }
    const read = async () => {
      for await (const item of Page.items(this, maxItems)) add(collection, item);
      return collection;
    };
    return read();
  }
}

import { isCount } from '../../util/numbers.ts';
import { ApiPromise } from '../api-promise.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { Page } from './page.ts';

/**
 * The promise of a list operation. Await it for one `Page`; iterate over it with `for await` for every item from that
 * page on. Further pages are fetched as needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** Every item, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return Page.items(this);
  }

  /**
   * The pages in order. With `maxItems`, the page that reaches the limit comes last and is complete. With `distinct`,
   * the `data` of a page lacks items already returned, and may be empty.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return Page.pages(this);
  }

  /**
   * Collects at most `maxItems` items into an array. The limit is required, because a list may not fit into memory;
   * iterate with `for await` to read a list of any length.
   */
  toArray(options: { readonly maxItems: number }): Promise<Item[]> {
    return this.#collect('toArray', options, (items: Item[], item) => items.push(item), []);
  }

  /**
   * Collects items into a `Map` by key; when several items share a key, the last one wins. Reads at most `maxItems`
   * items. The limit is required, as with `toArray`.
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
    // Plain JavaScript may omit the limit; then nothing must be sent.
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

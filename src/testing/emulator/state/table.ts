import type { Except } from 'type-fest';

/** What no two rows of a table have in common, besides their ids; a row never changes it. */
interface Unique<Row> {
  readonly keyOf: (row: Row) => string;
  /** What is said of a second row with the key of this one. */
  readonly taken: (row: Row) => string;
}

/** Rows in insertion order, with constant-time access by id, and by a key if they have one. */
export class Table<Row extends { readonly id: number }> {
  /** The highest id so far, so that none is used twice. */
  lastId = 0;
  readonly #changed: () => void;
  readonly #unique: Unique<Row>;
  readonly #byId = new Map<number, Row>();
  readonly #ids = new Map<string, number>();
  #rows: readonly Row[] | null = [];

  /** @param changed Called on every change. */
  constructor(changed: () => void, unique?: Unique<Row>) {
    this.#changed = changed;
    this.#unique = unique ?? { keyOf: ({ id }) => String(id), taken: ({ id }) => `The id ${id} is taken.` };
  }

  get rows(): readonly Row[] {
    this.#rows ??= [...this.#byId.values()];
    return this.#rows;
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  find(key: string): Row | undefined {
    const id = this.#ids.get(key);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /**
   * Adds a row, with the next id if it has none.
   *
   * @throws {RangeError} when its id or its key is taken
   */
  add(values: Except<Row, 'id'> & { readonly id?: number }): Row {
    const row = { id: this.lastId + 1, ...values } as Row;
    const key = this.#unique.keyOf(row);
    if (this.#ids.has(key)) throw new RangeError(this.#unique.taken(row));
    if (this.#byId.has(row.id)) throw new RangeError(`The id ${row.id} is taken.`);
    this.#ids.set(key, row.id);
    this.lastId = Math.max(this.lastId, row.id);
    return this.replace(row);
  }

  replace(row: Row): Row {
    this.#byId.set(row.id, row);
    this.#rows = null;
    this.#changed();
    return row;
  }

  remove(row: Row): void {
    this.#byId.delete(row.id);
    this.#ids.delete(this.#unique.keyOf(row));
    this.#rows = null;
    this.#changed();
  }
}

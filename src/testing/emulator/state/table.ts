/** Rows in insertion order, with constant-time access by id; rows are never removed. */
export interface Table<Row extends { readonly id: number }> {
  readonly rows: readonly Row[];
  get(id: number): Row | undefined;
  /** The id that the next row without one gets. */
  nextId(): number;
  insert(row: Row): Row;
  replace(row: Row): Row;
}

/** @param changed Called on every insertion and replacement. */
export function createTable<Row extends { readonly id: number }>(changed: () => void): Table<Row> {
  const rows: Row[] = [];
  const positions = new Map<number, number>();
  let highest = 0;
  return {
    rows,
    get(id) {
      const position = positions.get(id);
      return position === undefined ? undefined : rows[position];
    },
    nextId: () => highest + 1,
    insert(row) {
      if (positions.has(row.id)) throw new RangeError(`The id ${row.id} is taken.`);
      positions.set(row.id, rows.length);
      rows.push(row);
      highest = Math.max(highest, row.id);
      changed();
      return row;
    },
    replace(row) {
      const position = positions.get(row.id);
      if (position === undefined) throw new RangeError(`There is no row with the id ${row.id}.`);
      rows[position] = row;
      changed();
      return row;
    },
  };
}

// The size of batches is adaptive, as concurrency is: half after a request that was too large or too slow, a little more after
// each that was accepted.

/** How many accepted batches it takes to grow from nothing to the whole size. */
const STEPS = 25;

/** How many rows a request holds at present. */
export class BatchSize {
  readonly #whole: number;
  readonly #info: (message: string) => void;
  #rows: number;
  /** Which size is in force: a batch that left under an earlier one shrinks it no further. */
  generation = 0;
  /** Requests in a row that were too large or too slow. */
  failures = 0;

  constructor(whole: number, info: (message: string) => void) {
    this.#whole = whole;
    this.#info = info;
    this.#rows = whole;
  }

  get current(): number {
    return Math.floor(this.#rows);
  }

  accepted(): void {
    this.failures = 0;
    if (this.#rows === this.#whole) return;
    this.#rows = Math.min(this.#whole, this.#rows + Math.max(1, this.#whole / STEPS));
    if (this.#rows === this.#whole) this.#info(`importAll: batches hold ${this.#whole} rows again.`);
  }

  /** A batch of `rows`, which left under this `generation`, was too large or too slow. */
  shrink(rows: number, generation: number): void {
    if (generation !== this.generation) return;
    this.generation += 1;
    this.failures += 1;
    const isWhole = this.#rows === this.#whole;
    this.#rows = Math.max(1, Math.floor(Math.min(this.current, rows) / 2));
    if (isWhole) {
      this.#info(
        `importAll: a batch of ${rows} rows was too large or too slow; batches hold ${this.#rows} for now, and grow again.`,
      );
    }
  }
}

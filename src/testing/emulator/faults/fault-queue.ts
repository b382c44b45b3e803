import type { InjectedFault } from './fault.ts';

interface Selection {
  readonly on?: string | readonly string[];
  readonly times?: number;
  readonly rate?: number;
}

interface Entry<F> {
  readonly fault: F;
  left: number;
  struck: number;
}

/** Faults in the order in which they were injected; at most one of them strikes at a time. */
export class FaultQueue<F extends Selection> {
  readonly #random: () => number;
  #entries: Entry<F>[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** @throws RangeError for a number of times or a rate that can mean nothing */
  add(fault: F): InjectedFault {
    const { times = 1, rate = 1 } = fault;
    if (!(times >= 1)) throw new RangeError(`A fault strikes at least once: times is ${times}.`);
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`The rate of a fault is from 0 to 1, not ${rate}.`);
    const entry: Entry<F> = { fault, left: times, struck: 0 };
    this.#entries.push(entry);
    return {
      get struck() {
        return entry.struck;
      },
      remove: () => {
        entry.left = 0;
      },
    };
  }

  /** The fault that strikes `name` this time. */
  take(name: string): F | undefined {
    this.#entries = this.#entries.filter(({ left }) => left > 0);
    const entry = this.#entries.find(
      ({ fault }) => concerns(fault, name) && (fault.rate === undefined || this.#random() < fault.rate),
    );
    if (entry === undefined) return undefined;
    entry.left -= 1;
    entry.struck += 1;
    return entry.fault;
  }

  clear(): void {
    for (const entry of this.#entries) entry.left = 0;
  }
}

function concerns({ on }: Selection, name: string): boolean {
  return on === undefined || (typeof on === 'string' ? on === name : on.includes(name));
}

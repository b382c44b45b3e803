// The faults that were injected, and which of them strikes next.

import { findUnknownName, suggest } from '../../../util/suggest.ts';
import type { InjectedFault } from './fault.ts';

interface Selection {
  readonly on?: string | readonly string[] | undefined;
  readonly effect?: unknown;
  readonly delay?: number | undefined;
  readonly times?: number | undefined;
  readonly rate?: number | undefined;
}

const fields = ['on', 'times', 'rate', 'delay', 'effect', 'processed'];

interface Entry<F> extends InjectedFault<F> {
  left: number;
  struck: number;
}

/** Faults in the order of injection; at most one of them strikes at a time. */
export class FaultQueue<F extends Selection> {
  /** What can be struck. */
  readonly #names: readonly string[];
  readonly #random: () => number;
  readonly #changed: () => void;
  #entries: Entry<F>[] = [];

  /** @param changed Called when a fault is injected, strikes or is removed. */
  constructor(names: readonly string[], random: () => number, changed: () => void) {
    this.#names = names;
    this.#random = random;
    this.#changed = changed;
  }

  /** Faults that may still strike. */
  get waiting(): readonly InjectedFault<F>[] {
    return this.#entries.filter(({ left }) => left > 0);
  }

  /**
   * @throws {TypeError} when there is no effect or no such field, or `on` names what cannot be struck
   * @throws {RangeError} when `times` or `rate` is invalid
   */
  add(fault: F): InjectedFault<F> {
    const { on = [], effect, delay, times = 1, rate = 1 } = fault;
    const unknown = [on].flat().find((name) => !this.#names.includes(name));
    if (unknown !== undefined) {
      const example = suggest(unknown, this.#names) ?? this.#names[0];
      throw new TypeError(`This fault cannot strike ${unknown}: \`on\` takes names such as ${example}.`);
    }
    if (effect === undefined && delay === undefined)
      throw new TypeError('A fault needs an `effect` or a `delay`.');
    const odd = findUnknownName(fault, fields);
    if (odd !== null) throw new TypeError(`A fault has no field ${odd}.`);
    if (!(times >= 1)) throw new RangeError(`A fault strikes at least once: times is ${times}.`);
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`The rate of a fault is from 0 to 1, not ${rate}.`);
    const entry: Entry<F> = { fault, left: times, struck: 0, remove: () => this.#remove(entry) };
    this.#entries.push(entry);
    this.#changed();
    return entry;
  }

  /** The fault that strikes `name` this time. */
  take(name: string): F | undefined {
    const entry = this.#entries.find(
      ({ fault, left }) =>
        left > 0 && concerns(fault, name) && (fault.rate === undefined || this.#random() < fault.rate),
    );
    if (entry === undefined) return undefined;
    entry.left -= 1;
    entry.struck += 1;
    this.#entries = this.#entries.filter(({ left }) => left > 0);
    this.#changed();
    return entry.fault;
  }

  clear(): void {
    for (const entry of this.#entries) this.#remove(entry);
  }

  #remove(entry: Entry<F>): void {
    entry.left = 0;
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#changed();
  }
}

function concerns({ on }: Selection, name: string): boolean {
  return on === undefined || (typeof on === 'string' ? on === name : on.includes(name));
}

// The faults that were injected, and which of them strikes next.

import { rejectUnknown, unknownName } from '../../schema/unknown-name.ts';
import type { InjectedFault } from './fault.ts';

interface Selection {
  readonly on?: string | readonly string[] | undefined;
  readonly effect?: unknown;
  readonly delay?: number | undefined;
  readonly times?: number | undefined;
  readonly rate?: number | undefined;
}

const fields = ['on', 'times', 'rate', 'delay', 'effect', 'processed'];

/** What faults of this kind strike. */
interface Targets {
  readonly kind: 'operation' | 'event';
  readonly names: readonly string[];
}

interface Entry<F> extends InjectedFault<F> {
  left: number;
  struck: number;
}

/** Faults in the order of injection; at most one of them strikes at a time. */
export class FaultQueue<F extends Selection> {
  readonly #targets: Targets;
  readonly #random: () => number;
  readonly #changed: () => void;
  #entries: Entry<F>[] = [];

  /** @param changed Called when a fault is injected, strikes or is removed. */
  constructor(targets: Targets, random: () => number, changed: () => void) {
    this.#targets = targets;
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
    rejectUnknown('field', fault, fields);
    const { kind, names } = this.#targets;
    const unknown = [on].flat().find((name) => !names.includes(name));
    if (unknown !== undefined) throw new TypeError(`${unknownName(kind, unknown, names)}.`);
    if (effect === undefined && delay === undefined)
      throw new TypeError('A fault needs an `effect` or a `delay`.');
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

// The faults that were injected, and which of them strikes next.

import { isCount } from '../../../util/numbers.ts';
import { rejectUnknown, unknownName } from '../../schema/unknown-name.ts';
import { type EffectField, effectFields, type Fault, type InjectedFault } from './fault.ts';
import { replacementOf } from './strike.ts';

/** A fault of either kind. */
export interface AnyFault extends Omit<Fault, 'on' | 'effect'> {
  readonly on?: string | readonly string[] | undefined;
  readonly effect?: string | undefined;
}

/** What faults of a kind strike, the fields that they may have, and their effects with the fields of each. */
export interface FaultKind {
  readonly target: 'operation' | 'event';
  readonly names: readonly string[];
  readonly fields: readonly string[];
  readonly effects: Readonly<Record<string, readonly EffectField[]>>;
}

interface Entry<F> extends InjectedFault<F> {
  toSkip: number;
  left: number;
  struck: number;
}

/** Faults in the order of injection; at most one of them strikes at a time. */
export class FaultQueue<F extends AnyFault> {
  readonly #kind: FaultKind;
  readonly #changed: () => void;
  #entries: Entry<F>[] = [];

  /** @param changed Called when a fault is injected, strikes or is removed. */
  constructor(kind: FaultKind, changed: () => void) {
    this.#kind = kind;
    this.#changed = changed;
  }

  /** Faults that may still strike. */
  get waiting(): readonly InjectedFault<F>[] {
    return this.#entries.filter(({ left }) => left > 0);
  }

  /**
   * @throws {TypeError} when a field or an effect is missing or unknown, or `on` names what cannot be struck
   * @throws {RangeError} when `skip` or `times` is invalid
   */
  add(fault: F): InjectedFault<F> {
    const { on = [], effect, delay, skip = 0, times = 1 } = fault;
    const { target, names, fields, effects } = this.#kind;
    rejectUnknown('field', fault, fields);
    const unknown = [on].flat().find((name) => !names.includes(name));
    if (unknown !== undefined) throw new TypeError(`${unknownName(target, unknown, names)}.`);
    if (effect === undefined && delay === undefined)
      throw new TypeError('A fault needs an `effect` or a `delay`.');
    checkEffect(fault, effects);
    // What cannot be sent is rejected here, where it is injected.
    replacementOf(fault as Fault);
    if (!isCount(skip, 0)) throw new RangeError(`A fault skips a whole number of 0 or more, not ${skip}.`);
    if (!(times >= 1)) throw new RangeError(`A fault strikes at least once: times is ${times}.`);
    const remove = () => this.#remove(entry);
    const entry: Entry<F> = { fault, toSkip: skip, left: times, struck: 0, remove };
    this.#entries.push(entry);
    this.#changed();
    return entry;
  }

  /** The fault that strikes `name` this time. Each that passes over it counts it, whichever strikes. */
  take(name: string): F | undefined {
    let striking: Entry<F> | undefined;
    for (const entry of this.#entries.filter(({ fault }) => concerns(fault, name))) {
      if (entry.toSkip > 0) entry.toSkip -= 1;
      else striking ??= entry;
    }
    if (striking === undefined) return undefined;
    striking.left -= 1;
    striking.struck += 1;
    this.#entries = this.#entries.filter(({ left }) => left > 0);
    this.#changed();
    return striking.fault;
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

function concerns({ on }: AnyFault, name: string): boolean {
  return on === undefined || (typeof on === 'string' ? on === name : on.includes(name));
}

/** @throws {TypeError} when there is no such effect, or a field does not go with it */
function checkEffect(fault: AnyFault, effects: FaultKind['effects']): void {
  const { effect } = fault;
  if (effect !== undefined && !Object.hasOwn(effects, effect))
    throw new TypeError(`${unknownName('effect', effect, Object.keys(effects))}.`);
  const own = effect === undefined ? [] : effects[effect];
  const other = effectFields.find((field) => fault[field] !== undefined && !own?.includes(field));
  if (other === undefined) return;
  const owners = Object.keys(effects).filter((name) => effects[name]?.includes(other));
  throw new TypeError(
    `The field \`${other}\` goes with the effect ${owners.join(', ')}, not with ${effect ?? 'a delay'}.`,
  );
}

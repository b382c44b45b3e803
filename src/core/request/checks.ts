import { isCount, LONGEST_TIMER_MS } from '../../util/numbers.ts';
import { findUnknownName } from '../../util/suggest.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';

// Checks of option values. Each throws a ConfigurationError that names the option and says what it must be.

export function checkObject<T>(name: string, value: T): T & object {
  if (typeof value !== 'object' || value === null) refuse(name, 'an object');
  return value as T & object;
}

/** Rejects names that are not in `known`. */
export function assertKnown(where: string, given: object, known: readonly string[]): void {
  const unknown = findUnknownName(given, known);
  if (unknown !== null) throw new ConfigurationError(`Unknown name in ${where}: ${unknown}.`);
}

export function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') refuse(name, 'a function');
}

export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    refuse('signal', 'an AbortSignal');
  }
}

export function checkCount(name: string, value: unknown, least = 1): void {
  if (!isCount(value, least)) refuse(name, least > 0 ? 'a positive integer' : 'an integer of 0 or more');
}

export function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) refuse(name, `one of ${choices.join(', ')}`);
}

/** Rejects anything but a number of milliseconds that a timer can hold. */
export function checkDuration(name: string, value: unknown, least: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= LONGEST_TIMER_MS)) {
    refuse(name, `a number of milliseconds from ${least} to ${LONGEST_TIMER_MS}`);
  }
}

/** Throws, saying what an option must be. */
export function refuse(name: string, expected: string): never {
  throw new ConfigurationError(`\`${name}\` must be ${expected}.`);
}

// Reads the hooks of the client and of a receiver alike, since one set can watch both.

import type { Hooks } from '../hooks.ts';
import { aFunction, anObject, type OptionTable, optional, readOptions } from './check.ts';

const aHook = optional((value: unknown, name: string) => aFunction(value, `hooks.${name}`));

/** Every hook; those of a receiver are among them. */
export const hookTable = {
  onStart: aHook,
  onRequest: aHook,
  onResponse: aHook,
  onRetry: aHook,
  onSchemaDrift: aHook,
  onDeprecation: aHook,
  onEnd: aHook,
} satisfies OptionTable<Hooks>;

/** Checks one set of hooks, or a list of sets, and returns the sets themselves: their functions may be methods. */
export function hookSets<Set>(value: unknown = [], name: string): readonly Set[] {
  return [value].flat().map((set) => {
    readOptions(`\`${name}\``, anObject(set, name), hookTable);
    return set as Set;
  });
}

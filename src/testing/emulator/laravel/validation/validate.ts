// Checks the fields of a request as Laravel's validator does: every rule of every field, in the order of the rules.

import { rejections } from '../../domain/rejection.ts';
import type { Fields } from '../input/php-names.ts';
import { isBlank, isContainer, keeps, measureOf, type Rule, type RuleSet } from './rules.ts';
import { sentence, summary } from './sentences.ts';

/** The rules of an input, and its values once they are kept. */
export interface Form<T> {
  readonly rules: RuleSet;
  readonly read: (input: Fields) => T;
}

/**
 * The values of an input that keeps the rules.
 *
 * @throws {Rejection} 422 with every wrong field, in the words of Laravel
 */
export function checked<T>({ rules, read }: Form<T>, input: Fields): T {
  const errors: Record<string, string[]> = {};
  for (const [pattern, list] of Object.entries(rules)) {
    const measure = measureOf(list);
    for (const [field, value] of expand(pattern, input)) {
      const broken = brokenRules(value, list);
      if (broken.length > 0) errors[field] = broken.map((rule) => sentence(rule, field, measure));
    }
  }
  if (Object.keys(errors).length === 0) return read(input);
  throw rejections.invalidFields(summary(Object.values(errors).flat()), errors);
}

/** A field that is missing breaks `required` alone; one that breaks `required` breaks nothing else. */
function brokenRules(value: unknown, rules: readonly Rule[]): readonly Rule[] {
  const measure = measureOf(rules);
  if (rules.includes('required') && !keeps(value, 'required', measure)) return ['required'];
  if (value === undefined || isBlank(value) || (value === null && rules.includes('nullable'))) return [];
  return rules.filter((rule) => !keeps(value, rule, measure));
}

type FieldValue = readonly [field: string, value: unknown];

/** The fields that a pattern such as `participants.*.email` names in an input, whether they are there or not. */
function expand(pattern: string, input: Fields): FieldValue[] {
  let found: FieldValue[] = [['', input]];
  for (const key of pattern.split('.')) {
    found = found.flatMap(([path, value]) => {
      const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
      if (key !== '*') return [[inside(key), isContainer(value) ? own(value, key) : undefined] as const];
      return isContainer(value)
        ? Object.entries(value).map(([name, inner]) => [inside(name), inner] as const)
        : [];
    });
  }
  return found;
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

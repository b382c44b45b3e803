// Checks the fields of a request as Laravel's validator does: every rule of every field, in the order of the rules.

import { rejections } from '../../domain/rejection.ts';
import type { InputFields } from '../input/request-input.ts';
import {
  array,
  boolean,
  integer,
  isBlank,
  isContainer,
  measureOf,
  nullable,
  type Rule,
  type RuleSet,
  required,
} from './rules.ts';

/** The rules of an input, whose values are of type `T` once they are kept. */
export interface Form<T> {
  readonly rules: RuleSet;
  /** The values of fields that may be left out. */
  readonly defaults: Partial<T>;
}

export function form<T>(rules: RuleSet, defaults: Partial<T> = {}): Form<T> {
  return { rules, defaults };
}

/**
 * The values of an input that keeps the rules.
 *
 * @throws {Rejection} 422 with every wrong field, in the words of Laravel
 */
export function checked<T>({ rules, defaults }: Form<T>, input: InputFields): T {
  const errors: Record<string, string[]> = {};
  for (const [pattern, list] of Object.entries(rules)) {
    const measure = measureOf(list);
    for (const [field, value] of expand(pattern, input)) {
      const broken = brokenRules(value, list);
      if (broken.length > 0)
        errors[field] = broken.map(({ sentence }) => sentence(field.replaceAll('_', ' '), measure));
    }
  }
  if (Object.keys(errors).length === 0) return valuesOf(rules, input, defaults) as T;
  throw rejections.invalidFields(summary(Object.values(errors).flat()), errors);
}

/** The `message` above the messages of all fields. */
function summary([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`;
}

/** The fields of an input that have rules, each as what its rules say it is. */
function valuesOf(rules: RuleSet, input: object, defaults: object = {}): Record<string, unknown> {
  const fields = Object.keys(rules).filter((name) => !name.includes('.'));
  const values = fields.map((name) => {
    const value = own(input, name);
    return [name, value === undefined ? own(defaults, name) : readValue(value, name, rules)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function readValue(value: unknown, name: string, rules: RuleSet): unknown {
  const kinds = rules[name] ?? [];
  if (value === null) return null;
  if (kinds.includes(integer)) return Number(value);
  if (kinds.includes(boolean)) return value === true || Number(value) === 1;
  if (!kinds.includes(array)) return value;
  const start = `${name}.*.`;
  const inner = Object.entries(rules).flatMap(([pattern, list]) =>
    pattern.startsWith(start) ? [[pattern.slice(start.length), list] as const] : [],
  );
  const rows = Object.values(Object(value));
  return inner.length === 0 ? rows : rows.map((row) => valuesOf(Object.fromEntries(inner), Object(row)));
}

/** A field that is missing breaks `required` alone; one that breaks `required` breaks nothing else. */
function brokenRules(value: unknown, rules: readonly Rule[]): readonly Rule[] {
  const measure = measureOf(rules);
  if (rules.includes(required) && !required.keeps(value, measure)) return [required];
  if (value === undefined || isBlank(value) || (value === null && rules.includes(nullable))) return [];
  return rules.filter(({ keeps }) => !keeps(value, measure));
}

type FieldValue = readonly [field: string, value: unknown];

/** The fields that a pattern such as `participants.*.email` names in an input, whether they are there or not. */
function expand(pattern: string, input: InputFields): FieldValue[] {
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

// The sentences in which Laravel 11 rejects a field.

import type { Measure, Rule } from './rules.ts';

/** What is said of a field that breaks a rule. */
export function sentence(rule: Rule, field: string, measure: Measure): string {
  return template(rule, measure).replace(':attribute', field.replaceAll('_', ' '));
}

/** The `message` above the messages of all fields. */
export function summary([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`;
}

function template(rule: Rule, measure: Measure): string {
  if (typeof rule === 'string') return plain[rule];
  if ('in' in rule) return 'The selected :attribute is invalid.';
  return 'min' in rule
    ? sized[measure].min.replace(':size', String(rule.min))
    : sized[measure].max.replace(':size', String(rule.max));
}

const plain: Readonly<Record<Extract<Rule, string>, string>> = {
  required: 'The :attribute field is required.',
  nullable: '',
  string: 'The :attribute field must be a string.',
  integer: 'The :attribute field must be an integer.',
  boolean: 'The :attribute field must be true or false.',
  array: 'The :attribute field must be an array.',
  email: 'The :attribute field must be a valid email address.',
  url: 'The :attribute field must be a valid URL.',
};

const sized: Readonly<Record<Measure, { readonly min: string; readonly max: string }>> = {
  numeric: {
    min: 'The :attribute field must be at least :size.',
    max: 'The :attribute field must not be greater than :size.',
  },
  string: {
    min: 'The :attribute field must be at least :size characters.',
    max: 'The :attribute field must not be greater than :size characters.',
  },
  array: {
    min: 'The :attribute field must have at least :size items.',
    max: 'The :attribute field must not have more than :size items.',
  },
};

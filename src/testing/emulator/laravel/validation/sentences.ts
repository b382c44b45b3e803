// The sentences in which the two versions of Laravel reject a request.

import type { EmulatorFramework } from '../../service/service-settings.ts';
import type { Measure, Rule } from './rules.ts';

/** The sentences of a framework. */
interface Sentences {
  /** What is said of a field that breaks a rule. */
  sentence(rule: Rule, field: string, measure: Measure): string;
  /** The `message` above the messages of all fields. */
  summary(messages: readonly string[]): string;
  /** The path has no route. */
  notFound(path: string): string;
  /** The path has routes, for other methods. */
  notAllowed(method: string, path: string, allowed: string): string;
}

type Template = (rule: Rule, measure: Measure) => string;

const laravel11: Template = (rule, measure) => {
  const template = laravel8(rule, measure);
  return template.includes(':attribute field')
    ? template
    : template.replace(':attribute must', ':attribute field must');
};

const laravel8: Template = (rule, measure) => {
  if (typeof rule === 'string') return plain[rule];
  if ('in' in rule) return 'The selected :attribute is invalid.';
  return 'min' in rule
    ? sized[measure].min.replace(':size', String(rule.min))
    : sized[measure].max.replace(':size', String(rule.max));
};

const plain: Readonly<Record<Extract<Rule, string>, string>> = {
  required: 'The :attribute field is required.',
  nullable: '',
  string: 'The :attribute must be a string.',
  integer: 'The :attribute must be an integer.',
  boolean: 'The :attribute field must be true or false.',
  array: 'The :attribute must be an array.',
  email: 'The :attribute must be a valid email address.',
  url: 'The :attribute must be a valid URL.',
};

const sized: Readonly<Record<Measure, { readonly min: string; readonly max: string }>> = {
  numeric: {
    min: 'The :attribute must be at least :size.',
    max: 'The :attribute must not be greater than :size.',
  },
  string: {
    min: 'The :attribute must be at least :size characters.',
    max: 'The :attribute must not be greater than :size characters.',
  },
  array: {
    min: 'The :attribute must have at least :size items.',
    max: 'The :attribute must not have more than :size items.',
  },
};

const sentenceFrom =
  (template: Template): Sentences['sentence'] =>
  (rule, field, measure) =>
    template(rule, measure).replace(':attribute', field.replaceAll('_', ' '));

export const frameworks: Readonly<Record<EmulatorFramework, Sentences>> = {
  'laravel-11': {
    sentence: sentenceFrom(laravel11),
    summary([first = '', ...others]) {
      if (others.length === 0) return first;
      return `${first} (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`;
    },
    notFound: (path) => `The route ${path} could not be found.`,
    notAllowed: (method, path, allowed) =>
      `The ${method} method is not supported for route ${path}. Supported methods: ${allowed}.`,
  },
  'laravel-8': {
    sentence: sentenceFrom(laravel8),
    summary: () => 'The given data was invalid.',
    notFound: () => '',
    notAllowed: (method, _path, allowed) =>
      `The ${method} method is not supported for this route. Supported methods: ${allowed}.`,
  },
};

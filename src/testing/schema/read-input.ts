// Checks input for the emulator and explains what is wrong with it.

import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/**
 * Checks handwritten input from a seed file or a request.
 *
 * @throws {TypeError} when it is invalid; the message names every problem, with its row and its rule
 */
export function readInput<T>(schema: z.ZodMiniType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new TypeError(`${result.error.issues.map((issue) => explain(issue)).join('; ')}.`);
}

/** Describes an issue, such as `participants, row 2: \`email\` must be a string`. */
function explain(issue: Issue): string {
  if (issue.code === 'invalid_union') {
    const branch = nearest(issue);
    if (branch.length > 0) {
      return branch.map((inner) => explain({ ...inner, path: [...issue.path, ...inner.path] })).join('; ');
    }
  }
  const [first, second, ...rest] = issue.path;
  const isRow = typeof second === 'number';
  const place = isRow ? `${String(first)}, row ${second + 1}: ` : '';
  const field = (isRow ? rest : issue.path).map(String).join('.');
  // A message that names what is unknown needs no other name.
  const isWhole = field === '' || issue.message.startsWith('Unknown ');
  return place + (isWhole ? '' : `\`${field}\` `) + issue.message;
}

/** The issues of the union branch that matched best: that of a list, if the input is a list. */
function nearest({ errors }: Extract<Issue, { code: 'invalid_union' }>): Issue[] {
  const depth = (issues: readonly Issue[]) => Math.max(...issues.map(({ path }) => path.length));
  const deepest = [...errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
  return depth(deepest) > 0 ? [...deepest] : [];
}

// Parameters of a call as objects, and the messages for what is not one.

import * as z from 'zod/mini';
import { isObject, tagOf } from '../util/json.ts';
import { listNames, withSuggestion } from '../util/suggest.ts';

/** Messages about an object of parameters. */
export interface MessageTemplates {
  /** For a value that is not an object; `fields` are those that it should have. */
  readonly notAnObject: (value: unknown, fields: string) => string;
  /** For an object with names that are none of those `known`. */
  readonly unknown: (names: readonly string[], known: readonly string[], input: object) => string;
  /** How the argument is written in a call, if it is not the object itself. */
  readonly form?: string;
}

/** Options of a call, of a list and of an assignment, which belong in the last argument. */
const callOptionNames =
  /^(signal|timeout|totalTimeout|maxRetries|headers|validation|fetchOptions|query|maxItems|maxPages|concurrency|distinct|link)$/;

/** The names of a caller's rows are data: only what looks like the name of a column is quoted. */
const columnName = /^[A-Za-z_]\w{0,29}$/;

/** Every service has its own name for the size of a page. */
const pageSize = /^(limit|per_?page|page_?size)$/i;

export const ofCalls: MessageTemplates = {
  notAnObject: (_, fields) => `takes one object { ${fields} }`,
  unknown(names, known) {
    const option = names.find((name) => callOptionNames.test(name));
    if (option !== undefined) return `\`${option}\` is an option: pass it in the last argument`;
    const advice = `: it takes ${known.join(', ')}`;
    if (!names.every((name) => columnName.test(name)))
      return `unknown parameter names (${names.length})${advice}`;
    const meantBy = (name: string) =>
      pageSize.test(name) ? known.find((each) => pageSize.test(each)) : undefined;
    const quoted = listNames(names, (name) => withSuggestion(name, known, meantBy(name)));
    return `unknown parameter ${quoted}${quoted.includes('did you mean') ? '' : advice}`;
  },
};

/** Of lists, which a service may filter by more than it documents. */
export const ofLists: MessageTemplates = {
  ...ofCalls,
  unknown(names, known, input) {
    const message = ofCalls.unknown(names, known, input);
    return message.endsWith(known.join(', ')) ? `${message}; pass others in the option \`query\`` : message;
  },
};

/**
 * Parameters as an object. Undocumented names are rejected: the service would ignore them. `checks` are rules on several fields.
 *
 * Only an object's own fields count. An object that inherits some of them, such as a class instance with getters, is rejected: JSON
 * would omit them. So is a Map or the like, whose fields are not properties.
 */
export function parameters<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  templates = ofCalls,
  ...checks: readonly (z.core.$ZodCheck<object> | z.core.CheckFn<object>)[]
) {
  const names = Object.keys(shape);
  const fields = Object.entries<unknown>(shape).map(([name, field]) =>
    field instanceof z.ZodMiniOptional ? `${name}?` : name,
  );
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? templates.unknown(issue.keys, names, Object(issue.input))
      : undefined;
  const schema = z.strictObject(shape, { error }).check(...checks);
  const own = z.transform((input: z.input<typeof schema>, { issues }): unknown => {
    const reject = (message: string) => issues.push({ code: 'custom', message, input });
    const isOrdinary = tagOf(input) === 'Object';
    // Bytes are an object with a field for each, and a message may not name them all.
    if (!isOrdinary && (!isObject(input) || isBytes(input))) {
      reject(templates.notAnObject(input, fields.join(', ')));
      return input;
    }
    const inherited = names.some((name) => name in input && !Object.hasOwn(input, name));
    if (inherited || (!isOrdinary && Object.keys(input).length === 0)) reject('must be a plain object');
    return { ...input };
  });
  return Object.assign(z.pipe(own, schema), { names, form: templates.form ?? `{ ${fields.join(', ')} }` });
}

/** Whether a value holds raw bytes or numbers. */
export function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) || tagOf(value) === 'ArrayBuffer';
}

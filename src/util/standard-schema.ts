/**
 * A validator that follows the Standard Schema v1 specification. Zod, Valibot, ArkType and others produce these, so you
 * can use any of them to describe the records that the service does not document.
 */
export interface StandardSchema<Output = unknown> {
  /** Required by the specification: its version, the vendor, the check, and its types for the compiler. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Whether `value` can be used as a schema. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return typeof (value as StandardSchema | null)?.['~standard']?.validate === 'function';
}

/** The result of a schema: the `value` that it read, or the `issues` for which it rejected it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One reason for a rejection, as a schema reports it. */
export interface SchemaIssue {
  /** Why, in the words of the schema. */
  readonly message: string;
  /** Where: keys and indexes, outermost first; absent for the whole value. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** One reason why a request or a response was rejected. */
export interface Issue {
  /** Where: keys and indexes joined with dots, such as `participants.0.email`; empty for the whole value. */
  readonly path: string;
  /** What is wrong there. Never contains the value itself. */
  readonly message: string;
}

/** Turns a schema's issues into ours, below `prefix`. */
export function toIssues(issues: readonly SchemaIssue[], prefix: readonly PropertyKey[] = []): Issue[] {
  return issues.map(({ message, path = [] }) => {
    // Spread first: the list of a library may be of a class whose `map` does not make what it should.
    const keys = [...prefix, ...path].map((segment) => (typeof segment === 'object' ? segment.key : segment));
    return { path: keys.map(String).join('.'), message: String(message) };
  });
}

/** The same without the messages, which may quote the value: with the code that most libraries provide. */
export function toCodes(issues: readonly SchemaIssue[], prefix: readonly PropertyKey[] = []): Issue[] {
  return toIssues(issues, prefix).map(({ path }, index) => {
    const issue = issues[index] as { readonly code?: unknown; readonly type?: unknown };
    const code = [issue.code, issue.type].find((value) => /^\w{1,40}$/.test(String(value ?? '-')));
    return {
      path,
      message: `is rejected by the given schema${code === undefined ? '' : ` (${code})`}`,
    };
  });
}

/** The first few issues on one line, for an error message. */
export function describeIssues(issues: readonly Issue[], shown = 3): string {
  const lines = issues
    .slice(0, shown)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const hidden = issues.length - lines.length;
  return lines.join('; ') + (hidden > 0 ? `; and ${hidden} more` : '');
}

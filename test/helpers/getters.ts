/** An object whose every field is a getter, and how often each was called. */
export function withGetters<T extends object>(
  fields: T,
): { readonly object: T; readonly reads: Record<string, number> } {
  const reads: Record<string, number> = {};
  const object = {};
  for (const [name, value] of Object.entries(fields)) {
    const get = () => {
      reads[name] = (reads[name] ?? 0) + 1;
      return value;
    };
    Object.defineProperty(object, name, { enumerable: true, get });
  }
  return { object: object as T, reads };
}

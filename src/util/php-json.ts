// JSON as PHP writes it: slashes and everything beyond ASCII are escaped unless flags say otherwise.

/** Escapes slashes in JSON as PHP does: `\/`. */
export function escapeSlashes(json: string): string {
  return json.replaceAll('/', '\\/');
}

/** Escapes non-ASCII characters in JSON as PHP does: `\uXXXX`. */
export function escapeUnicode(json: string): string {
  return json.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// PHP escapes slashes and everything beyond ASCII unless it is told not to.

/** Writes the slashes of a JSON text as PHP does: `\/`. */
export function escapeSlashes(json: string): string {
  return json.replaceAll('/', '\\/');
}

/** Writes the characters beyond ASCII of a JSON text as PHP does: `\uXXXX`. */
export function escapeUnicode(json: string): string {
  return json.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

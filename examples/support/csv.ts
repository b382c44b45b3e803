/** One line of a CSV file, with its line break. */
export function toCsvLine(values: ReadonlyArray<unknown>): string {
  return `${values.map(toCell).join(',')}\n`;
}

function toCell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { failures, type Result } from './check.ts';

/** The results as Markdown, lists below a title. Everything in it is the same at every run that passes. */
export function toMarkdown(results: readonly Result[]): string {
  const titles = [...new Set(results.map(({ table }) => table))];
  return titles
    .map((title) => `**${title}**\n\n${toLists(results.filter(({ table }) => table === title))}`)
    .join('\n\n');
}

/** What passes the same checks shares a list. */
function toLists(rows: readonly Result[]): string {
  const all = [...new Set(rows.flatMap(({ columns }) => columns))];
  const places = new Map<string, string[]>();
  for (const { row, columns, findings } of rows) {
    const run = all.filter((column) => columns.includes(column));
    const checks = run.map((column) => (findings[column] === 'ok' ? column : `✗ ${column}`)).join('; ');
    places.set(checks, [...(places.get(checks) ?? []), row]);
  }
  const listOf = (names: readonly string[]) => names.map((name) => `- ${name}`).join('\n');
  return [...places].map(([checks, names]) => `${checks}:\n\n${listOf(names)}`).join('\n\n');
}

/** How many lines of a failure are shown: tools print much after the reason. */
const shownLines = 25;

/** One line for a check that has ended, with what went wrong below it. */
export function toLine(result: Result): string {
  const failed = failures(result);
  const head = `${failed.length === 0 ? '✓' : '✗'} ${result.table}: ${result.row} (${result.seconds.toFixed(1)} s)`;
  return [head, ...failed.map(indent)].join('\n');
}

function indent(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, shownLines);
  if (lines.length > shownLines) shown.push(`(${lines.length - shownLines} more lines)`);
  return `    ${shown.join('\n      ')}`;
}

/** Where the generated part of a document begins and ends. */
const markers = ['<!-- tested where: begin -->', '<!-- tested where: end -->'] as const;

/**
 * The document with its generated part replaced.
 *
 * @throws Error where it has no place for it
 */
export function withGenerated(document: string, generated: string): string {
  const [begin, end] = markers;
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`The document lacks ${begin} … ${end}.`);
  return `${document.slice(0, start)}${begin}\n\n${generated}\n\n${document.slice(stop)}`;
}

/** A document without the versions in it, such as 24.21.0. What is tested in several versions keeps as many rows. */
export function withoutVersions(document: string): string {
  return document.replaceAll(/\b\d+(?:\.\d+)+\b/g, 'x');
}

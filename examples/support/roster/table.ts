// Prints the plan of a roster as a table.

import Table from 'cli-table3';
import type { RosterPlan } from './plan.ts';

/** As many of each kind are shown; the rest is counted. */
const MOST_SHOWN = 8;

/** The difference as a table that fits the terminal. */
export function showPlan({ added, renamed, missing, unchanged }: RosterPlan): string {
  const columns = Math.max(80, process.stdout.columns ?? 80);
  const text = Math.floor((columns - 24) / 2);
  const table = new Table({
    head: ['', '', 'email', 'name'],
    colWidths: [11, 8, text, text],
    wordWrap: true,
    wrapOnWordBoundary: false,
    colAligns: ['left', 'right', 'left', 'left'],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  const add = (kind: string, people: ReadonlyArray<readonly [string, string | null]>) => {
    const rows = people.slice(0, MOST_SHOWN).map(([email, name]) => [email, name ?? '']);
    if (people.length > rows.length) rows.push([`… and ${people.length - rows.length} more`, '']);
    for (const [index, row] of (rows.length === 0 ? [['', '']] : rows).entries()) {
      table.push([...(index === 0 ? [kind, String(people.length)] : ['', '']), ...row]);
    }
  };
  add(
    'new',
    added.map(({ email, name }) => [email, name]),
  );
  add(
    'renamed',
    renamed.map(({ email, from, to }) => [email, `${from ?? '(none)'}\n→ ${to}`]),
  );
  add(
    'missing',
    missing.map(({ email, name }) => [email, name]),
  );
  table.push(['unchanged', String(unchanged), '', '']);
  return table.toString();
}

/** The first of many lines, and how many there are beside them. */
export function showSome(lines: readonly string[]): string {
  const rest = lines.length - MOST_SHOWN;
  return [...lines.slice(0, MOST_SHOWN), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

// The result of `exam-service-sdk verify` as a table.

import { type Paint, printable } from '../terminal.ts';
import { type ClaimId, claims, type Means } from './claims.ts';
import type { Leftover } from './cleanup.ts';
import type { Finding, Run } from './run.ts';

/** One row of the table. */
export interface Row extends Finding {
  readonly id: ClaimId;
  readonly section: string;
  readonly says: string;
}

const colors = { confirmed: 'green', contradicted: 'red', 'not decided': 'yellow' } as const;
const WIDTH = 14;

/** Every claim that a run with these means decides, and those that it decided besides. */
export function toRows(run: Run, means: readonly Means[], isCutShort: boolean): Row[] {
  const seen = isCutShort ? 'the run ended before' : 'nothing to try it with';
  return claims
    .filter(({ id, by }) => means.includes(by) || run.findings.has(id))
    .map(({ id, section, says }) => {
      const finding = run.findings.get(id) ?? { verdict: 'not decided', seen };
      return { id, section, says, ...finding };
    });
}

/** The table for people, section by section. */
export function report(rows: readonly Row[], notes: readonly string[], paint: Paint): string {
  const sections = [...new Set(rows.map(({ section }) => section))].map((section) => {
    const lines = rows
      .filter((row) => row.section === section)
      .map(({ verdict, says, seen }) => {
        const reason = verdict === 'confirmed' ? '' : `\n  ${' '.repeat(WIDTH)}${printable(seen)}`;
        return `  ${paint(colors[verdict], verdict.padEnd(WIDTH))}${says}${reason}\n`;
      });
    return `${paint('bold', section)}\n${lines.join('')}\n`;
  });
  const silent = notes.map((note) => `  ${note}\n`).join('');
  const counts = Object.keys(colors).map(
    (one) => `${rows.filter(({ verdict }) => verdict === one).length} ${one}`,
  );
  return `${sections.join('')}${paint('bold', 'Where the documentation is silent')}\n${silent}\n${counts.join(', ')}\n`;
}

/** What the run could not remove, with the commands that do. */
export function leftReport(left: readonly Leftover[]): string {
  const lines = left.map(({ what, command }) => `  ${printable(what)}\n    ${printable(command)}\n`);
  return `This run could not remove everything that it made:\n${lines.join('')}`;
}

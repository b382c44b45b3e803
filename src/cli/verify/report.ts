// The result of `exam-service-sdk verify` as a table.

import { type Paint, printable } from '../terminal.ts';
import { type ClaimId, claims } from './claims/claims.ts';
import { decidable, type Finding, type Run, type Verdict } from './run.ts';
import type { Leftover } from './undo.ts';

/** One row of the table. */
export interface Row extends Finding {
  readonly id: ClaimId;
  readonly section: string;
  readonly says: string;
}

const order: readonly Verdict[] = ['confirmed', 'contradicted', 'not decided'];
const colors = { confirmed: 'green', contradicted: 'red', 'not decided': 'yellow' } as const;
const WIDTH = 14;

/** Every claim that a run of this kind is to decide, and what it found. */
export function rowsOf(run: Run, means: ReadonlySet<string>, isCutShort: boolean): Row[] {
  const seen = isCutShort ? 'the run ended before' : 'nothing to try it with';
  const unseen: Finding = { verdict: 'not decided', seen };
  return decidable(run, means).map((id) => {
    const { section, says } = claims[id];
    return { id, section, says, ...(run.findings.get(id) ?? unseen) };
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
  return `${sections.join('')}${paint('bold', 'Where the documentation is silent')}\n${silent}\n${summary(rows)}\n`;
}

export function summary(rows: readonly Row[]): string {
  return order.map((one) => `${rows.filter(({ verdict }) => verdict === one).length} ${one}`).join(', ');
}

/** What the run could not take away, with the commands that do. */
export function leftReport(left: readonly Leftover[]): string {
  const lines = left.map(({ what, command }) => `  ${printable(what)}\n    ${printable(command)}\n`);
  return `This run has made what it could not take away again:\n${lines.join('')}`;
}

// Writes the lines of a program that runs for days to an output that may not be read.

import type { Output } from '../terminal.ts';

/** How much may wait to be read, in bytes; further lines are left out. */
const MAX_UNREAD = 256 * 1024;

/** @param asLine Makes a line of the note that says how many were left out. */
export function lineWriter(output: Output, asLine: (note: string) => string): (line: string) => void {
  let leftOut = 0;
  return (line) => {
    if ((output.writableLength ?? 0) > MAX_UNREAD) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) {
      const lines = leftOut === 1 ? '1 line was' : `${leftOut} lines were`;
      output.write(`${asLine(`${lines} left out: nobody read the output.`)}\n`);
      leftOut = 0;
    }
    output.write(`${line}\n`);
  };
}

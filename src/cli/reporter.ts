// What a command writes that runs until it is stopped: text for people, or one JSON object per line for programs.

import { type Paint, painter, printable, type Terminal } from './terminal.ts';

/** How much may wait to be read, in bytes; what comes then is left out, as nobody may ever read it. */
const MAX_UNREAD = 256 * 1024;

/** Reports what happens. */
export interface Reporter {
  /** @param at When it happened, in milliseconds since 1970; default: now. */
  report(type: string, values: object, text: (paint: Paint) => string, at?: number): void;
  warn(message: string, type?: string): void;
}

export function createReporter({ stdout, stderr, env }: Terminal, isJson: boolean): Reporter {
  const paint = painter(stdout, env);
  let leftOut = 0;

  function report(type: string, values: object, text: (paint: Paint) => string, at = Date.now()): void {
    if ((stdout.writableLength ?? 0) > MAX_UNREAD) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) {
      const lines = leftOut === 1 ? '1 line was' : `${leftOut} lines were`;
      const message = `${lines} left out: nobody read the output.`;
      leftOut = 0;
      report('warning', { message }, () => paint('dim', message));
    }
    const line = isJson ? JSON.stringify({ time: new Date(at).toISOString(), type, ...values }) : text(paint);
    stdout.write(`${line}\n`);
  }

  return {
    report,
    warn(message, type = 'warning') {
      if (isJson) report(type, { message }, () => message);
      else stderr.write(`${painter(stderr, env)('yellow', printable(message))}\n`);
    },
  };
}

// The terminal as commands see it, with colours and safe printing; tests pass their own.

/** Output and input of a command. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the command should end. */
  readonly stop: AbortSignal;
}

export interface Output {
  readonly isTTY?: boolean;
  /** How much of it waits to be read, in bytes; absent where nothing ever does. */
  readonly writableLength?: number;
  write(text: string): unknown;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours a string, or leaves it as is. */
export type Paint = (color: keyof typeof codes, text: string) => string;

/**
 * Colours for what is written to one stream, if that is a terminal: not in a pipe or a file, and not when `NO_COLOR` is
 * set (https://no-color.org).
 */
export function painter({ isTTY }: Output, env: Terminal['env']): Paint {
  const plain = isTTY !== true || env['NO_COLOR'] || env['TERM'] === 'dumb';
  return plain ? (_color, text) => text : (color, text) => `\u001b[${codes[color]}m${text}\u001b[0m`;
}

/** Replaces control characters, which could make a terminal execute or show something else. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}

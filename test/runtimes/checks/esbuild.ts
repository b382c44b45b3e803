import { type CommandOptions, command, programOf } from '../lib/command.ts';

/** Bundles from the command line. */
export function bundleWithEsbuild(parameters: readonly string[], options: CommandOptions): Promise<string> {
  const fixed = ['--bundle', '--target=es2022', '--log-level=warning'];
  return command(programOf('esbuild'), [...fixed, ...parameters], options);
}

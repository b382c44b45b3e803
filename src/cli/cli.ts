// The command line program: finds the command that was asked for, runs it and turns errors into exit codes.

import manifest from '../../package.json' with { type: 'json' };
import { messageOf } from '../util/errors.ts';
import { suggest } from '../util/suggest.ts';
import type { Command } from './command.ts';
import { hint } from './command-options.ts';
import { emulatorCommand } from './emulator/command.ts';
import { CommandError, UsageError } from './errors.ts';
import { inColumns } from './help.ts';
import { inspectCommand } from './inspect/inspect.ts';
import { listenCommand } from './listen/listen.ts';
import type { Terminal } from './terminal.ts';
import { triggerCommand } from './trigger.ts';

const commands: Readonly<Record<string, Command>> = {
  emulator: emulatorCommand,
  inspect: inspectCommand,
  listen: listenCommand,
  trigger: triggerCommand,
};
const PROGRAM = 'exam-service-sdk';

const HELP = `Usage: ${PROGRAM} <command> [options]
       ${PROGRAM} help [command]

Commands:
${inColumns(Object.entries(commands).map(([name, { summary }]) => [name, summary]))}

Options:
${inColumns([
  ['-h, --help', 'Shows this help; after a command, the help of that command'],
  ['-v, --version', 'Shows the version'],
])}
`;

/** Runs the program and returns its exit code: 0, 1 when it failed, 2 when it was called incorrectly. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  try {
    await execute(name, rest, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    const asked = name !== undefined && Object.hasOwn(commands, name) ? `${PROGRAM} ${name}` : PROGRAM;
    terminal.stderr.write(`Run "${asked} --help" for usage.\n`);
    return 2;
  }
}

async function execute(name: string | undefined, args: readonly string[], terminal: Terminal): Promise<void> {
  if (name === undefined || name === '-h' || name === '--help' || (name === 'help' && args.length === 0)) {
    return void terminal.stdout.write(HELP);
  }
  if (name === 'help') return execute(args[0], ['--help'], terminal);
  if (name === '-v' || name === '--version') return void terminal.stdout.write(`${manifest.version}\n`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const kind = name.startsWith('-') ? 'option' : 'command';
    const known = [...Object.keys(commands), 'help'];
    throw new UsageError(`Unknown ${kind} ${name}.${hint(suggest(name, known))}`);
  }
  if (args.some((arg) => arg === '-h' || arg === '--help')) return void terminal.stdout.write(command.help);
  await command.run(args, terminal);
}

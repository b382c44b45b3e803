import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, and of what is installed into it. */
export const home = join(import.meta.dirname, '..');
/** The root of the repository. */
export const repository = dirname(dirname(home));

export interface CommandOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is a failure to print on stderr. */
  readonly quiet?: boolean;
}

/**
 * Runs a program to its end and gives what it printed.
 *
 * @throws Error with everything that it printed, where it fails, cannot be started or is not `quiet`
 */
export function command(
  program: string,
  parameters: readonly string[],
  { cwd, signal, env, quiet = false }: CommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = { cwd, signal, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } };
    execFile(program, [...parameters], settings, (error, stdout, stderr) => {
      if (error === null && (!quiet || stderr === '')) return resolve(stdout);
      const reason = error?.message ?? 'It printed on stderr, where nothing was expected.';
      reject(new Error([stderr.trim(), stdout.trim(), reason].filter(Boolean).join('\n')));
    });
  });
}

/** Runs a program written in JavaScript on the Node of this process. */
export function script(file: string, parameters: readonly string[], options: CommandOptions) {
  return command(process.execPath, [file, ...parameters], options);
}

interface Manifest {
  readonly version: string;
  readonly bin: string | Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
}

/** A tool is installed here, or is one that the repository itself is developed with. */
function folderOf(name: string): string {
  return [home, repository].map((project) => join(project, 'node_modules', name)).find(existsSync) ?? name;
}

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
}

/** The version of a tool. */
export function versionOf(name: string): string {
  return manifest(name).version;
}

/** The versions of Node that a tool supports; `undefined` where it does not say. */
export function enginesOf(name: string): string | undefined {
  return manifest(name).engines?.node;
}

/** The program of a tool. */
export function programOf(name: string, bin = name): string {
  const { bin: bins } = manifest(name);
  const path = typeof bins === 'string' ? bins : bins[bin];
  if (path === undefined) throw new Error(`${name} has no program ${bin}.`);
  return realpathSync(join(folderOf(name), path));
}

/** npm, as the one that runs this script where there is one. */
export function npm(parameters: readonly string[], options: CommandOptions): Promise<string> {
  const { npm_execpath: cli } = process.env;
  return cli?.endsWith('.js') ? script(cli, parameters, options) : command('npm', parameters, options);
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLong } from '../../helpers/requirements.ts';
import { programOf, script } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';

/** Every TypeScript that the published declarations are for; in the short form the newest. */
export const compilers = isLong
  ? ['typescript-5.4', 'typescript-5.9', 'typescript', 'typescript-7']
  : ['typescript-7'];

export interface Compilation {
  readonly compiler: string;
  /** Unique for the compiler; names the configuration file. */
  readonly name: string;
  /** Files in `types`. */
  readonly files: readonly string[];
  /** Compiler options, over the common ones. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Type-checks files in the foreign project, and gives `ok` or what the compiler says. */
export async function compile(
  project: ForeignProject,
  compilation: Compilation,
  signal: AbortSignal,
): Promise<string> {
  return build(project, [compilation], signal);
}

/**
 * Type-checks each of `compilations`, which have one compiler, and gives for each `ok` or what the compiler says. One process for
 * all takes half of the time; only where it finds something is each asked alone.
 */
export async function compileEach(
  project: ForeignProject,
  compilations: readonly Compilation[],
  signal: AbortSignal,
): Promise<string[]> {
  if ((await build(project, compilations, signal)) === 'ok') return compilations.map(() => 'ok');
  const findings: string[] = [];
  for (const compilation of compilations) findings.push(await compile(project, compilation, signal));
  if (findings.every((finding) => finding === 'ok')) throw new Error('Together they do not compile.');
  return findings;
}

async function build(
  { folder }: ForeignProject,
  compilations: readonly Compilation[],
  signal: AbortSignal,
): Promise<string> {
  const written: string[] = [];
  for (const { compiler, name, files, options } of compilations) {
    const file = join(folder, `${compiler}-${name}.json`);
    const included = files.map((included) => join('types', included));
    await writeFile(file, JSON.stringify({ compilerOptions: { ...common, ...options }, files: included }));
    written.push(file);
  }
  const [{ compiler } = { compiler: '' }] = compilations;
  try {
    await script(programOf(compiler, 'tsc'), ['-b', '--force', ...written], { cwd: folder, signal });
    return 'ok';
  } catch (error) {
    return String(error);
  }
}

const common = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  typeRoots: ['../node_modules/@types'],
  // Everything but the compiler's own libraries.
  skipLibCheck: false,
  skipDefaultLibCheck: true,
};

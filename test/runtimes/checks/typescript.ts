import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../lib/check.ts';
import { script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { type Compilation, compile, compileEach, compilers } from './compile.ts';

interface Setting {
  /** What it decides. */
  readonly columns: readonly string[];
  /** Files in `types`. */
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** The same tests as a module and as CommonJS, where the resolution distinguishes them. */
const bothFormats = ['public-api.ts', 'public-api.cts', 'surface.ts', 'surface.cts'];

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };

const settings: readonly Setting[] = [
  { columns: ['node16'], files: bothFormats, options: { module: 'node16', moduleResolution: 'node16' } },
  { columns: ['nodenext'], files: bothFormats, options: nodenext },
  {
    columns: ['bundler'],
    files: ['public-api.ts', 'surface.ts'],
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
];

/** Only what is for tests needs the types of Node. */
const forTests: Setting = {
  columns: ['`/testing`, with @types/node'],
  files: ['testing-api.ts', 'declare-module.ts'],
  options: { ...nodenext, types: ['node'] },
};

/** One program for both: most of the time goes into the types of Node. The declarations of msw are not for TypeScript 5.4. */
const forTestsAndMsw: Setting = {
  ...forTests,
  columns: [...forTests.columns, '`/testing/msw`, with @types/node'],
  files: [...forTests.files, 'testing-msw.ts'],
};

/**
 * The classic resolution, which knows no `exports`: the default of `module: commonjs` in NestJS, ts-jest and older templates.
 * TypeScript 6 asks for it to be named, and 7 has none.
 */
const classic: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'typescript-5.4': { module: 'commonjs' },
  'typescript-5.9': { module: 'commonjs' },
  typescript: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
};

const compiledClassic = 'module: commonjs, compiled';
const runClassic = 'module: commonjs, run';

/** The type tests against the published declarations, as the compilers of users read them. */
export function typescriptChecks(project: ForeignProject): Check[] {
  const types = join(project.folder, 'types');
  let asCommonJs: Promise<unknown> | undefined;
  return compilers.map((name) => {
    const compiled = [...settings, name === 'typescript-5.4' ? forTests : forTestsAndMsw];
    const options = classic[name];
    return {
      table: 'TypeScript',
      row: `TypeScript ${versionOf(name)}`,
      columns: [
        ...compiled.flatMap(({ columns }) => columns),
        ...(options ? [compiledClassic, runClassic] : []),
      ],
      async run(signal) {
        asCommonJs ??= Promise.all(
          ['public-api', 'surface'].map((file) => cp(join(types, `${file}.ts`), join(types, `${file}.cts`))),
        );
        await asCommonJs;
        const asClassic = options && {
          columns: [compiledClassic],
          files: ['public-api.cts', 'surface.cts'],
          options,
        };
        const wanted = (asClassic ? [...compiled, asClassic] : compiled).flatMap((setting) =>
          bothWays(name, setting).map((compilation) => ({ setting, compilation })),
        );
        const compilations = wanted.map(({ compilation }) => compilation);
        const outcomes = await compileEach(project, compilations, signal);
        const findings: Record<string, string> = {};
        for (const [index, { setting }] of wanted.entries())
          for (const column of setting.columns)
            if ((findings[column] ?? 'ok') === 'ok') findings[column] = outcomes[index] ?? 'not compiled';
        if (options !== undefined) findings[runClassic] = await runCompiled(project, name, options, signal);
        return findings;
      },
    };
  });
}

/** Has the compiler write JavaScript, which then runs on Node. */
async function runCompiled(
  project: ForeignProject,
  compiler: string,
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const outDir = await project.subfolder(`classic-${compiler}`);
  // msw's own declarations are not for the classic resolution; those of the package are checked in the other columns.
  const emit = {
    noEmit: false,
    rootDir: join(project.folder, 'types'),
    outDir,
    types: ['node'],
    skipLibCheck: true,
  };
  const compilation = { compiler, name: 'classic', files: ['classic.ts'], options: { ...options, ...emit } };
  const finding = await compile(project, compilation, signal);
  if (finding !== 'ok') return finding;
  const printed = await script(join(outDir, 'classic.js'), [], { cwd: outDir, signal, quiet: true });
  const expected = '[1,true,204,["exam.archived"],true]';
  return printed.trim() === expected ? 'ok' : `It printed ${printed}, not ${expected}.`;
}

/** `exactOptionalPropertyTypes` off has nothing to do with resolution: one resolution shows that it compiles. */
function bothWays(compiler: string, { files, options }: Setting): Compilation[] {
  const resolution = String(options['moduleResolution'] ?? options['module']);
  return (options['module'] === 'nodenext' ? [true, false] : [true]).map((exactOptionalPropertyTypes) => ({
    compiler,
    name: `${files[0]}-${resolution}-${exactOptionalPropertyTypes}`,
    files,
    options: { ...options, exactOptionalPropertyTypes },
  }));
}

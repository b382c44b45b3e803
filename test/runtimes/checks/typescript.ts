import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { compile, compilers } from './compile.ts';

interface Setting {
  /** Files in `types`. */
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** The same tests as a module and as CommonJS, where the resolution tells them apart. */
const bothFormats = ['public-api.ts', 'public-api.cts'];

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };

/** By the name of a column. Only what is for tests needs the types of Node. */
const settings: Readonly<Record<string, Setting>> = {
  node16: { files: bothFormats, options: { module: 'node16', moduleResolution: 'node16' } },
  nodenext: { files: bothFormats, options: nodenext },
  bundler: { files: ['public-api.ts'], options: { module: 'esnext', moduleResolution: 'bundler' } },
  '`/testing`, with @types/node': {
    files: ['testing-api.ts'],
    options: { ...nodenext, types: ['node'] },
  },
};

const msw: Readonly<Record<string, Setting>> = {
  '`/testing/msw`, with @types/node': {
    files: ['testing-msw.ts'],
    options: { ...nodenext, types: ['node'] },
  },
};

/** The type tests against the published declarations, as the compilers of users read them. */
export function typescriptChecks(project: ForeignProject): Check[] {
  const types = join(project.folder, 'types');
  let asCommonJs: Promise<void> | undefined;
  return compilers.map((name) => {
    // The declarations of msw itself are not for TypeScript 5.4.
    const columns = name === 'typescript-5.4' ? settings : { ...settings, ...msw };
    return {
      table: 'TypeScript',
      row: `TypeScript ${versionOf(name)}`,
      columns: Object.keys(columns),
      async run(signal) {
        asCommonJs ??= cp(join(types, 'public-api.ts'), join(types, 'public-api.cts'));
        await asCommonJs;
        const findings: Record<string, string> = {};
        for (const [column, setting] of Object.entries(columns)) {
          findings[column] = await compileBothWays(project, name, setting, signal);
        }
        return findings;
      },
    };
  });
}

async function compileBothWays(
  project: ForeignProject,
  compiler: string,
  { files, options }: Setting,
  signal: AbortSignal,
): Promise<string> {
  for (const exactOptionalPropertyTypes of [true, false]) {
    const compilation = {
      compiler,
      name: String(options['moduleResolution']),
      files,
      options: { ...options, exactOptionalPropertyTypes },
    };
    const finding = await compile(project, compilation, signal);
    if (finding !== 'ok') return finding;
  }
  return 'ok';
}

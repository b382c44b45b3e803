import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { command, programOf, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { nodes, quietNode } from './nodes.ts';

/** The scenario as a program, which imports the package. */
const file = 'scenario/command.js';

/** The runtimes that are started from a command line. */
export function runtimeChecks(project: ForeignProject): Check[] {
  let required: Promise<string> | undefined;
  const requiring = () => {
    required ??= asCommonJs(project);
    return required;
  };
  const importing = async () => file;
  return [
    ...nodes.flatMap((name) => [
      check(`Node ${versionOf(name)}, import`, programOf(name, 'node'), quietNode.parameters, importing),
      check(`Node ${versionOf(name)}, require`, programOf(name, 'node'), quietNode.parameters, requiring),
    ]),
    check(`Bun ${versionOf('bun')}`, programOf('bun'), ['run'], importing),
    check(`Deno ${versionOf('deno')}`, programOf('deno'), denoParameters, importing),
  ];

  function check(
    row: string,
    program: string,
    parameters: readonly string[],
    prepare: () => Promise<string>,
  ): Check {
    return {
      table: 'Runtimes',
      row,
      columns: steps,
      async run(signal) {
        await using service = await startService(project);
        const given = JSON.stringify(service.environment);
        const all = [...parameters, await prepare(), given];
        const printed = await command(program, all, {
          cwd: project.folder,
          signal,
          quiet: true,
          env: quietNode.env,
        });
        return verdict(service, JSON.parse(printed) as Findings);
      },
    };
  }
}

/** Deno gets the one permission that a client needs, and its packages from where npm put them. */
export const denoParameters: readonly string[] = [
  'run',
  '--no-prompt',
  '--no-config',
  '--no-remote',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1',
];

/** The same program, compiled so that it requires the package. */
async function asCommonJs(project: ForeignProject): Promise<string> {
  const target = join(await project.subfolder('required'), 'command.js');
  const parameters = ['--format=cjs', '--platform=node', '--packages=external', `--outfile=${target}`];
  await bundleWithEsbuild([file, ...parameters], { cwd: project.folder });
  return target;
}

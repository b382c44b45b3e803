import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { command } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { everyNode, otherRuntimes, quietNode, type Runtime } from './nodes.ts';

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
    ...everyNode.flatMap((node) => [
      check({ ...node, row: `${node.row}, import` }, importing),
      check({ ...node, row: `${node.row}, require` }, requiring),
    ]),
    ...otherRuntimes.map((runtime) => check(runtime, importing)),
  ];

  function check({ row, program, parameters }: Runtime, prepare: () => Promise<string>): Check {
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

/** The same program, compiled so that it requires the package. */
async function asCommonJs(project: ForeignProject): Promise<string> {
  const target = join(await project.subfolder('required'), 'command.js');
  const parameters = ['--format=cjs', '--platform=node', '--packages=external', `--outfile=${target}`];
  await bundleWithEsbuild([file, ...parameters], { cwd: project.folder });
  return target;
}

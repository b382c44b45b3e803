import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { command, programOf, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { lostCallSteps, table } from '../lib/hosts.ts';
import { startService } from '../lib/service.ts';
import { bun, everyNode, quietNode, type Runtime } from './nodes.ts';

/** What the tests in `bun/hosts.test.js` do. */
const bunTests = ['expect(call).rejects', 'a returned call'];

/** Runtimes that are started from a command line: their reports of failures that nobody handles, and Bun's test runner. */
export function hostChecks(project: ForeignProject): Check[] {
  return [bunTestCheck(), ...[...everyNode, bun()].map(lostCallsCheck)];

  function lostCallsCheck({ row, program, parameters }: Runtime): Check {
    return {
      table,
      row,
      columns: lostCallSteps,
      isListed: false,
      async run(signal) {
        await using service = await startService(project);
        const given = JSON.stringify(service.environment);
        const all = [...parameters, 'scenario/lost-calls-command.js', given];
        const printed = await command(program, all, {
          cwd: project.folder,
          signal,
          quiet: true,
          env: quietNode.env,
        });
        return JSON.parse(printed) as Findings;
      },
    };
  }

  function bunTestCheck(): Check {
    return {
      table,
      row: `bun test ${versionOf('bun')}`,
      columns: bunTests,
      isListed: false,
      async run(signal) {
        await using service = await startService(project);
        const folder = join(project.folder, 'in-bun');
        await project.copy('bun', folder);
        const env = { TEST_ENVIRONMENT: JSON.stringify(service.environment) };
        // It fails where a test does, where one does not end and where there is none.
        await command(programOf('bun'), ['test', './in-bun/hosts.test.js'], {
          cwd: project.folder,
          signal,
          env,
        });
        return Object.fromEntries(bunTests.map((name) => [name, 'ok']));
      },
    };
  }
}

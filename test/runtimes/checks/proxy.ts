import type { Check, Findings } from '../lib/check.ts';
import { command } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService } from '../lib/service.ts';
import { everyNode, otherRuntimes, quietNode } from './nodes.ts';

/** The steps of `scenario/proxy-command.js`. */
const steps = ['allowed', 'forced', 'rejected', 'given up'];

/** How long the process may take, in milliseconds: a tenth of the time that its proxy gives the service. */
const longestRun = 60_000;

/** The proxy in every runtime that is started from a command line. workerd has a separate test. */
export function proxyChecks(project: ForeignProject): Check[] {
  return [...everyNode, ...otherRuntimes].map(({ row, program, parameters }) => ({
    table: 'Proxy',
    row,
    columns: steps,
    isListed: false,
    async run(signal) {
      await using service = await startService(project);
      const given = JSON.stringify(service.environment);
      const printed = await command(program, [...parameters, 'scenario/proxy-command.js', given], {
        cwd: project.folder,
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestRun)]),
        quiet: true,
        env: quietNode.env,
      });
      return JSON.parse(printed) as Findings;
    },
  }));
}

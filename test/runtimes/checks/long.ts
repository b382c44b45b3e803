import { join } from 'node:path';
import type { Check } from '../lib/check.ts';
import { home, programOf, repository, script } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { babelChecks } from './babel.ts';
import { fetchChecks } from './fetch.ts';
import { fetchTypesChecks } from './fetch-types.ts';
import { hostChecks } from './hosts.ts';
import { jestChecks } from './jest.ts';
import { storesCheck } from './stores.ts';
import { telemetryChecks } from './telemetry.ts';
import { workerdChecks } from './workerd.ts';
import { workerdHostsCheck } from './workerd-hosts.ts';
import { workerdLimitsChecks } from './workerd-limits.ts';

/** What belongs to the long form, and needs what only that installs. */
export function longChecks(project: ForeignProject): Check[] {
  return [
    ...workerdChecks(project),
    ...jestChecks(project),
    ...babelChecks(project),
    ...hostChecks(project),
    workerdHostsCheck(project),
    ...workerdLimitsChecks(project),
    ...fetchChecks(project),
    ...fetchTypesChecks(project),
    ...telemetryChecks(project),
    storesCheck(project),
    thisProject('types', 'typescript-7', 'tsc', ['-p', home]),
    thisProject('tests', 'vitest', 'vitest', ['run', '--config', join(home, 'vitest.config.ts')]),
  ];
}

/** A tool that finds nothing wrong with this project itself. */
function thisProject(column: string, tool: string, bin: string, parameters: readonly string[]): Check {
  return {
    table: 'This project',
    row: tool,
    columns: [column],
    isListed: false,
    async run(signal) {
      await script(programOf(tool, bin), parameters, { cwd: repository, signal });
      return { [column]: 'ok' };
    },
  };
}

import { isLong } from '../../helpers/requirements.ts';
import type { Check } from '../lib/check.ts';
import { programOf, script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';

/** What the checkers of packages say about the tarball. */
export function packagingChecks({ tarball, folder }: ForeignProject): Check[] {
  // Not the resolution of TypeScript before 4.7, which knows no `exports`.
  const attw = () => check('Are the types wrong?', '@arethetypeswrong/cli', 'attw', [tarball]);
  return [check('publint', 'publint', 'publint', [tarball, '--strict']), ...(isLong ? [attw()] : [])];

  function check(name: string, tool: string, bin: string, parameters: readonly string[]): Check {
    return {
      table: 'Package',
      row: `${name} ${versionOf(tool)}`,
      columns: ['no finding'],
      async run(signal) {
        await script(programOf(tool, bin), parameters, { cwd: folder, signal });
        return { 'no finding': 'ok' };
      },
    };
  }
}

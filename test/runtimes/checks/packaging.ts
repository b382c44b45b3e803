import type { Check } from '../lib/check.ts';
import { programOf, script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';

/** What the checkers of packages say about the tarball. */
export function packagingChecks({ tarball, folder }: ForeignProject): Check[] {
  return [
    check('publint', 'publint', 'publint', [tarball, '--strict']),
    // Not the resolution of TypeScript before 4.7, which knows no `exports`.
    check('Are the types wrong?', '@arethetypeswrong/cli', 'attw', [tarball]),
  ];

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

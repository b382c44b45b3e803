import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { programOf, script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';

/** Jest as it comes, which requires what it tests. */
export function jestCheck(project: ForeignProject): Check {
  return {
    table: 'Runtimes',
    row: `Jest ${versionOf('jest')}, CommonJS`,
    columns: steps,
    async run(signal) {
      await using service = await startService(project);
      const folder = await project.subfolder('in-jest');
      await project.copy('jest', folder);
      const cwd = project.folder;
      const written = join(folder, 'scenario.js');
      const parameters = [
        'scenario/scenario.js',
        '--format=cjs',
        '--packages=external',
        `--outfile=${written}`,
      ];
      await bundleWithEsbuild(parameters, { cwd, signal });
      const findings = join(folder, 'findings.json');
      const env = { SURROUNDINGS: JSON.stringify(service.surroundings), FINDINGS: findings };
      await script(programOf('jest'), ['--ci', `--rootDir=${folder}`], { cwd: folder, signal, env });
      return verdict(service, JSON.parse(await readFile(findings, 'utf8')) as Findings);
    },
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { programOf, script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { refuseConnections } from '../lib/loopback.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';

/** Jest as it comes, which requires what it tests and gives it another realm than that of `fetch`. */
export function jestChecks(project: ForeignProject): Check[] {
  return [scenarioCheck(), realmCheck()];

  function scenarioCheck(): Check {
    return {
      table: 'Runtimes',
      row: `Jest ${versionOf('jest')}, CommonJS`,
      columns: steps,
      async run(signal) {
        await using service = await startService(project);
        const folder = await project.subfolder('in-jest');
        await project.copy('jest/scenario.test.js', join(folder, 'scenario.test.js'));
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
        const env = { TEST_ENVIRONMENT: JSON.stringify(service.environment), FINDINGS: findings };
        await script(programOf('jest'), ['--ci', `--rootDir=${folder}`], { cwd: folder, signal, env });
        return verdict(service, JSON.parse(await readFile(findings, 'utf8')) as Findings);
      },
    };
  }

  function realmCheck(): Check {
    return {
      table: 'Errors of another realm',
      row: `Jest ${versionOf('jest')}`,
      columns: realmTests,
      isListed: false,
      async run(signal) {
        await using closed = await refuseConnections();
        const folder = await project.subfolder('in-jest-realm');
        await project.copy('jest/realm.test.js', join(folder, 'realm.test.js'));
        const env = { CLOSED_URL: `http://127.0.0.1:${closed.port}/api/v1` };
        await script(programOf('jest'), ['--ci', `--rootDir=${folder}`], { cwd: folder, signal, env });
        return Object.fromEntries(realmTests.map((name) => [name, 'ok']));
      },
    };
  }
}

/** What the tests in `jest/realm.test.js` do. */
const realmTests = ['refused connection', 'cut connection', 'cut answer', 'a secret in a cause'];

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Findings } from '../lib/check.ts';
import { programOf, script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { rejectConnections } from '../lib/loopback.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';

/** Jest without configuration, which requires what it tests and gives it another realm than that of `fetch`. */
export function jestChecks(project: ForeignProject): Check[] {
  return [scenarioCheck(), realmCheck(), ...settings.map(settingCheck)];

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
        await using closed = await rejectConnections();
        const folder = await project.subfolder('in-jest-realm');
        await project.copy('jest/realm.test.js', join(folder, 'realm.test.js'));
        const env = { CLOSED_URL: `http://127.0.0.1:${closed.port}/api/v1` };
        await script(programOf('jest'), ['--ci', `--rootDir=${folder}`], { cwd: folder, signal, env });
        return Object.fromEntries(realmTests.map((name) => [name, 'ok']));
      },
    };
  }

  /** Each test of a file is a column. Jest fails where one of them does. */
  function settingCheck({ name, file, options, columns }: Setting): Check {
    return {
      table: 'Test set-ups',
      row: `Jest ${versionOf('jest')}, ${name}`,
      columns,
      async run(signal) {
        await using service = await startService(project);
        const folder = await project.subfolder(`in-jest-${file}`);
        await project.copy(`jest/${file}.test.js`, join(folder, `${file}.test.js`));
        const env = { TEST_ENVIRONMENT: JSON.stringify(service.environment) };
        const parameters = ['--ci', '--json', `--rootDir=${folder}`, ...options];
        const printed = await script(programOf('jest'), parameters, { cwd: folder, signal, env }).catch(
          String,
        );
        return findingsOf(printed);
      },
    };
  }
}

/** A way in which users set up Jest. */
interface Setting {
  readonly name: string;
  readonly file: string;
  readonly options: readonly string[];
  /** The names of the tests in the file. */
  readonly columns: readonly string[];
}

const settings: readonly Setting[] = [
  {
    name: 'fake timers',
    file: 'fake-timers',
    options: [],
    columns: ['call', 'list', 'error', 'a retry waits for the faked clock', 'webhook'],
  },
  {
    name: 'jsdom',
    file: 'jsdom',
    options: ['--env=jest-fixed-jsdom'],
    columns: ['call', 'error', 'abort', 'key is rejected'],
  },
];

/** What Jest reported of each test; all that it printed where it did not come to them. */
function findingsOf(printed: string): Findings {
  const [report = ''] = /^\{"num.*\}$/m.exec(printed) ?? [];
  if (report === '') throw new Error(printed);
  const { testResults }: JestReport = JSON.parse(report);
  const [{ assertionResults, message } = { assertionResults: [], message: '' }] = testResults;
  if (assertionResults.length === 0) throw new Error(message);
  return Object.fromEntries(
    assertionResults.map(({ title, status, failureMessages }) => [
      title,
      status === 'passed' ? 'ok' : failureMessages.join('\n'),
    ]),
  );
}

/** The part of Jest's JSON that is read here. */
interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** What the tests in `jest/realm.test.js` do. */
const realmTests = ['refused connection', 'cut connection', 'cut response', 'a secret in a cause'];

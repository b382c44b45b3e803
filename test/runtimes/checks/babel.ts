import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check, Findings } from '../lib/check.ts';
import { script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { quietNode } from './nodes.ts';

/** The steps of `scenario/compiled.js`. */
const compiledSteps = [
  'classes of errors',
  'errors before a request',
  'errors of another copy',
  'promises of calls',
];

const presets = [
  ['preset-env', `Babel ${versionOf('@babel/preset-env')}, Internet Explorer 11`],
  ['react-native', `React Native's preset ${versionOf('@react-native/babel-preset')}`],
  ['react-native-es5', `React Native's preset ${versionOf('@react-native/babel-preset')}, without classes`],
] as const;

/** The package as apps compile it for old engines: classes become functions, and fields assignments. */
export function babelChecks(project: ForeignProject): Check[] {
  return presets.map(([preset, row]) => ({
    table: 'Compiled for old engines',
    row,
    columns: [...steps, ...compiledSteps],
    isListed: false,
    async run(signal) {
      await using service = await startService(project);
      const cwd = project.folder;
      const dist = join(project.installed, 'dist');
      const folder = await project.subfolder(`babel-${preset}`);
      const compiled = join(folder, 'node_modules', 'exam-service-sdk');
      await script('bundlers/babel.js', [preset, dist, compiled], { cwd, signal });
      const exports = { '.': './index.js', './webhooks': './webhooks.js' };
      await writeFile(join(compiled, 'package.json'), JSON.stringify({ type: 'commonjs', exports }));
      const target = join(folder, 'command.js');
      const parameters = ['--format=cjs', '--platform=node', '--packages=external', `--outfile=${target}`];
      await bundleWithEsbuild(['scenario/compiled-command.js', ...parameters], { cwd, signal });
      const otherCopy = pathToFileURL(join(dist, 'index.js')).href;
      const given = JSON.stringify({ ...service.environment, otherCopy });
      const printed = await script(target, [given], { cwd, signal, quiet: true, env: quietNode.env });
      return verdict(service, JSON.parse(printed) as Findings);
    },
  }));
}

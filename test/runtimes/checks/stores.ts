import type { Check, Findings } from '../lib/check.ts';
import { command, programOf, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { quietNode } from './nodes.ts';

const columns = [
  'Vue ref',
  'Vue reactive',
  'Vue shallowReactive',
  'MobX observable',
  'MobX makeAutoObservable',
  'a Proxy',
];

/** A client that is kept in the stores of page frameworks, which wrap what they hold. */
export function storesCheck(project: ForeignProject): Check {
  return {
    table: 'Stores',
    row: `Vue ${versionOf('vue')}, MobX ${versionOf('mobx')}`,
    columns,
    isListed: false,
    async run(signal) {
      const parameters = [...quietNode.parameters, 'scenario/stores-command.js'];
      const options = { cwd: project.folder, signal, quiet: true, env: quietNode.env };
      return JSON.parse(await command(programOf('node24', 'node'), parameters, options)) as Findings;
    },
  };
}

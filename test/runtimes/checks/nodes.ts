import { isLong } from '../../helpers/requirements.ts';
import { programOf, versionOf } from '../lib/command.ts';

/** Every Node that the package is run on; in the short form the oldest. The tests themselves run on 24. */
export const nodes = isLong ? ['node20', 'node22', 'node24', 'node26'] : ['node20'];

/** Has Node print every warning with its stack trace, regardless of the environment. */
export const quietNode = {
  parameters: ['--trace-warnings'],
  env: { NODE_OPTIONS: '', NODE_NO_WARNINGS: '' },
};

/** A runtime that is started from a command line. */
export interface Runtime {
  /** With its version. */
  readonly row: string;
  readonly program: string;
  readonly parameters: readonly string[];
}

/** Deno gets the one permission that a client needs, and its packages from where npm put them. */
const denoParameters = [
  'run',
  '--no-prompt',
  '--no-config',
  '--no-remote',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1',
];

export const everyNode: readonly Runtime[] = nodes.map((name) => ({
  row: `Node ${versionOf(name)}`,
  program: programOf(name, 'node'),
  parameters: quietNode.parameters,
}));

export const bun = (): Runtime => ({
  row: `Bun ${versionOf('bun')}`,
  program: programOf('bun'),
  parameters: ['run'],
});

const deno = (): Runtime => ({
  row: `Deno ${versionOf('deno')}`,
  program: programOf('deno'),
  parameters: denoParameters,
});

/** What else is started from a command line, in the long form. */
export const otherRuntimes: readonly Runtime[] = isLong ? [bun(), deno()] : [];

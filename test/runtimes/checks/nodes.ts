import { isLong } from '../../helpers/requirements.ts';

/** Every Node that the package is run on; in the short form the oldest. The tests themselves run on 24. */
export const nodes = isLong ? ['node20', 'node22', 'node24', 'node26'] : ['node20'];

/** Has Node print every warning with its stack trace, regardless of the environment. */
export const quietNode = {
  parameters: ['--trace-warnings'],
  env: { NODE_OPTIONS: '', NODE_NO_WARNINGS: '' },
};

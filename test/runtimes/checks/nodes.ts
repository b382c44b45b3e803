/** Every Node that the package is run on. */
export const nodes = ['node20', 'node22', 'node24', 'node26'];

/** Has Node print every warning with its stack trace, whatever the environment says. */
export const quietNode = {
  parameters: ['--trace-warnings'],
  env: { NODE_OPTIONS: '', NODE_NO_WARNINGS: '' },
};

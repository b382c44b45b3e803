/** Version of the package, as in `package.json`; a test compares the two. */
export const VERSION = '0.3.0';

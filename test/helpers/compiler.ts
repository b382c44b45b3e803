import { fileURLToPath } from 'node:url';

/** The compiler that checks types: a program, and three times as fast as the library that others build with. */
export const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));

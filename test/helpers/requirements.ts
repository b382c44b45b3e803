// What tests take: their long form or the short one, and a browser where there is one.
const { env, platform, arch } = process;

/**
 * Whether tests take their long form, which `.ci/run` asks for. The short one leaves out what a change of the code seldom breaks and
 * takes long to try: other people's tools and runtimes, kills and odd files of recipes, the looks of pages, more cases of a kind.
 */
export const isLong = env['LONG_TESTS'] === '1';

/** Whether there is a browser. The packaged Chromium is a program for Linux on x64. */
export const hasBrowser = env['CHROME_PATH'] !== undefined || (platform === 'linux' && arch === 'x64');

/** What a test takes in its long form, such as a number of calls or a list of cases, and otherwise. */
export const longOrShort = <Amount>(long: Amount, short: Amount): Amount => (isLong ? long : short);

/** Cases of one kind: every third of them in the short form. */
export const someOf = <Case>(all: readonly Case[]): Case[] =>
  all.filter((_, index) => isLong || index % 3 === 0);

/** How many random cases a property is tried with: all of them in the long form, a third in the short one. */
export const numRuns = (all: number): number => longOrShort(all, Math.ceil(all / 3));

/** What tests need that a machine may not have. Where it is missing they are skipped, and the last line of `npm test` says so. */
export interface Requirement {
  readonly isMet: boolean;
  /** Why tests are skipped, as the end of "Skipped: ...". */
  readonly missing: string;
}

const { env, platform, arch } = process;

/**
 * Whether tests take their long form, which `.ci/run` asks for. The short one leaves out what a change of the code seldom breaks and
 * takes long to try: other people's tools and compilers, the looks of pages, more cases of a kind.
 */
export const isLong = env['LONG_TESTS'] === '1';

export const requirements = {
  redis: { isMet: Boolean(env['REDIS_URL']), missing: 'REDIS_URL names no server' },
  postgres: { isMet: Boolean(env['DATABASE_URL']), missing: 'DATABASE_URL names no server' },
  browser: {
    // The packaged Chromium is a program for Linux on x64.
    isMet: env['CHROME_PATH'] !== undefined || (platform === 'linux' && arch === 'x64'),
    missing: 'CHROME_PATH names no browser, and the packaged one is for Linux on x64',
  },
  longForm: { isMet: isLong, missing: 'some belong to the long form' },
} as const satisfies Readonly<Record<string, Requirement>>;

/** What a test takes in its long form, such as a number of calls or a list of cases, and otherwise. */
export const longOrShort = <Amount>(long: Amount, short: Amount): Amount => (isLong ? long : short);

/** Cases of one kind: every third of them in the short form. */
export const someOf = <Case>(all: readonly Case[]): Case[] =>
  all.filter((_, index) => isLong || index % 3 === 0);

/** How many random cases a property is tried with: all of them in the long form, a third in the short one. */
export const numRuns = (all: number): number => longOrShort(all, Math.ceil(all / 3));

/** By the name of a column, `ok` or what went wrong. */
export type Findings = Readonly<Record<string, string>>;

/** One row of a table: something that is run, and what has to hold there. */
export interface Check {
  /** Which table. */
  readonly table: string;
  /** What is tested, with its version. */
  readonly row: string;
  readonly columns: readonly string[];
  /**
   * Whether the README lists it. Its tables say where the package runs.
   * @default true
   */
  readonly isListed?: boolean;
  /** Whatever it throws counts against every column. `signal` ends what it has started. */
  run(signal: AbortSignal): Promise<Findings>;
}

/** A check that has been run. */
export interface Result extends Omit<Check, 'run'> {
  readonly findings: Findings;
  readonly seconds: number;
}

/** How long one check may take, in milliseconds. Vitest runs beside it, so a check has less than a core for itself. */
const limit = 600_000;

/** As many at a time as the machine of the tests has cores. */
const lanes = 2;

/** Runs every check, even if others fail, and reports each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = checks.entries();
  const lane = async () => {
    for (const [index, check] of waiting) {
      const result = await runCheck(check);
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** What failed, with the columns that failed for it; a column that was not spoken of failed too. */
export function failures({ columns, findings }: Result): readonly string[] {
  const reasonOf = (column: string) => findings[column] ?? 'not reached';
  const failed = columns.filter((column) => reasonOf(column) !== 'ok');
  return [...new Set(failed.map(reasonOf))].map((reason) => {
    const names = failed.filter((column) => reasonOf(column) === reason);
    return `${names.join(', ')}: ${reason}`;
  });
}

async function runCheck(check: Check): Promise<Result> {
  const { run: _, ...described } = check;
  const start = performance.now();
  const findings = await attempt(check);
  return { ...described, findings, seconds: (performance.now() - start) / 1000 };
}

async function attempt(check: Check): Promise<Findings> {
  const signal = AbortSignal.timeout(limit);
  const overdue = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no end after ${limit / 1000} s`)));
  });
  try {
    return await Promise.race([check.run(signal), overdue]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return Object.fromEntries(check.columns.map((column) => [column, message]));
  }
}

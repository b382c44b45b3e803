import { hasBrowser, isLong } from '../../helpers/requirements.ts';
import { bundlerChecks } from '../checks/bundlers.ts';
import { chromiumChecks } from '../checks/chromium.ts';
import { declarationsCheck } from '../checks/declarations.ts';
import { packagingChecks } from '../checks/packaging.ts';
import { proxyChecks } from '../checks/proxy.ts';
import { runtimeChecks } from '../checks/runtimes.ts';
import { typescriptChecks } from '../checks/typescript.ts';
import { shareBrowser } from './browser.ts';
import { failures, runChecks } from './check.ts';
import { createForeignProject } from './foreign-project.ts';
import { toLine, toMarkdown } from './report.ts';

/**
 * Runs the checks whose table or row has one of `words`, all of them if there are none, and prints their
 * results.
 */
export async function runAll(
  words: readonly string[],
): Promise<{ failed: number; tables: string; isWhole: boolean }> {
  await using project = await createForeignProject();
  await using browser = shareBrowser();
  const ofBrowsers = [...chromiumChecks(project, browser), ...bundlerChecks(project, browser)];
  const checks = [
    ...runtimeChecks(project),
    ...proxyChecks(project),
    ...(isLong ? (await import('../checks/long.ts')).longChecks(project) : []),
    ...(hasBrowser ? ofBrowsers : []),
    ...typescriptChecks(project),
    ...packagingChecks(project),
    declarationsCheck(project),
  ].filter(({ table, row }) => words.length === 0 || words.some((word) => `${table} ${row}`.includes(word)));
  if (checks.length === 0) throw new Error(`No check has ${words.join(' or ')} in its name.`);
  const results = await runChecks(checks, (result) => console.log(toLine(result)));
  const tables = toMarkdown(results.filter(({ isListed = true }) => isListed));
  console.log(`\n${tables}`);
  if (!hasBrowser)
    console.log(
      `\n${ofBrowsers.length} checks in browsers were skipped: CHROME_PATH names none, and the packaged one is for Linux on x64.`,
    );
  const failed = results.filter((result) => failures(result).length > 0).length;
  return { failed, tables, isWhole: words.length === 0 && isLong && hasBrowser };
}

// Stops a release whose tag, version and changelog do not say the same: node scripts/release/check.ts v1.2.3
import { readFileSync } from 'node:fs';

interface Release {
  /** The tag, such as `v1.2.3`. */
  readonly tag: string;
  /** That of package.json. */
  readonly version: string;
  readonly changelog: string;
  /** That of package.json: provenance is accepted only from there. */
  readonly repository: unknown;
}

/** What has to be changed before the release, a sentence each. */
export function problemsOf({ tag, version, changelog, repository }: Release): string[] {
  const problems: string[] = [];
  if (tag !== `v${version}`)
    problems.push(
      `The tag is ${tag}, and package.json says ${version}: tag v${version}, or set the version.`,
    );
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`));
  if (heading === undefined)
    problems.push(`CHANGELOG.md has no section [${version}]: write what changes for users.`);
  else if (!/^## \[[^\]]+\] - \d{4}-\d\d-\d\d$/.test(heading))
    problems.push(
      `CHANGELOG.md says "${heading}": put the date of the release there, as in "## [${version}] - 2026-01-31".`,
    );
  if (!repository)
    problems.push('package.json has no `repository`: npm accepts provenance only from the one named there.');
  return problems;
}

if (import.meta.main) {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { version, repository } = JSON.parse(read('package.json'));
  const tag = process.argv[2] ?? '';
  const problems = problemsOf({ tag, version, changelog: read('CHANGELOG.md'), repository });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

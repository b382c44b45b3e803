import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../scripts/release/check.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const repository = { type: 'git', url: 'git+https://git.example/exams/sdk.git' };
const changelog = '# Changelog\n\n## [1.2.3] - 2026-03-01\n\n## [1.2.2] - not yet released\n';

describe('a release is stopped', () => {
  const right = { tag: 'v1.2.3', version: '1.2.3', changelog, repository };

  test('not where tag, version and a dated section of the changelog agree', () => {
    expect(problemsOf(right)).toEqual([]);
  });

  test.each([
    ['the tag is not the version', { tag: 'v1.2.4' }, 'The tag is v1.2.4, and package.json says 1.2.3'],
    ['its section has no date', { tag: 'v1.2.2', version: '1.2.2' }, 'put the date of the release there'],
    ['it has no section', { tag: 'v1.2.3-b.1', version: '1.2.3-b.1' }, 'has no section [1.2.3-b.1]'],
    ['no repository is named, which provenance needs', { repository: undefined }, '`repository`'],
  ])('where %s', (_, changes, words) => {
    expect(problemsOf({ ...right, ...changes })).toEqual([expect.stringContaining(words)]);
  });
});

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root });

  test.each(workflows)('%s uses actions by commit, with the version behind', (path) => {
    const uses = [...read(path).matchAll(/^.*\buses: *(.*)$/gm)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('pin an action to one commit everywhere', () => {
    const pins = workflows.flatMap((path) => read(path).match(/[\w./-]+@[0-9a-f]{40} # \S+/g) ?? []);
    const actions = [...new Set(pins)].map((pin) => pin.replace(/@.*/, ''));
    expect(actions).toEqual([...new Set(actions)]);
  });

  test('stage a version for approval, and a prerelease under next', () => {
    const workflow = read('.github/workflows/release.yml');
    expect(workflow).toContain('npm stage publish ./exam-service-sdk-*.tgz --tag "$DIST_TAG"');
    expect(workflow).toContain("contains(github.ref_name, '-') && 'next' || 'latest'");
    expect(workflow).toContain('node scripts/release/check.ts "$GITHUB_REF_NAME"');
  });
});

test('every lock file of the repository is watched for updates', () => {
  const watched = read('.github/dependabot.yml').match(/^ {6}- \/.*$/gm) ?? [];
  const locked = globSync('{*,examples/**,test/*}/package-lock.json', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  const folders = ['/', ...locked.map((path) => `/${path.replace('/package-lock.json', '')}`)];
  expect(watched.map((line) => line.replace(/^ *- /, '')).toSorted()).toEqual(
    [...new Set(folders)].toSorted(),
  );
});

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const biome = join(import.meta.dirname, '../node_modules/.bin/biome');
const config = join(import.meta.dirname, '../biome.json');

/** An import against the direction of imports, for each rule about them; a cycle needs no more than types. */
const violations: [file: string, imported: string, rule: string][] = [
  ['src/schemas/probe.ts', '../core/plan.ts', 'style/noRestrictedImports'],
  ['src/core/probe.ts', '../resources/exams.ts', 'style/noRestrictedImports'],
  ['src/resources/probe.ts', '../webhooks/verify/verify.ts', 'style/noRestrictedImports'],
  ['src/webhooks/probe.ts', '../core/transport.ts', 'style/noRestrictedImports'],
  ['src/proxy/probe.ts', '../resources/exams.ts', 'style/noRestrictedImports'],
  ['src/testing/probe.ts', '../core/plan.ts', 'style/noRestrictedImports'],
  ['src/cli/probe.ts', '../../examples/support/service.ts', 'style/noRestrictedImports'],
  ['src/util/hen.ts', './egg.ts', 'suspicious/noImportCycles'],
];

let project = '';
let found: string[] = [];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'lint-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  copyFileSync(config, join(project, 'biome.json'));
  for (const [file, imported] of violations) write(file, `import type { Egg } from '${imported}';\n`);
  write('src/util/egg.ts', "export type { Egg } from './hen.ts';\n");
  const options = ['--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none'];
  const { stdout, error } = spawnSync(biome, ['lint', ...options, '.'], { cwd: project, encoding: 'utf8' });
  if (error !== undefined) throw error;
  found = [...stdout.matchAll(/^::error title=lint\/([^,]+),file=([^,]+)/gm)].map(
    ([, rule, file = '']) => `${file.replace(`${project}/`, '')} ${rule}`,
  );
});

afterAll(() => rmSync(project, { recursive: true }));

test.each(violations)('%s must not import %s', (file, _, rule) => {
  expect(found).toContain(`${file} ${rule}`);
});

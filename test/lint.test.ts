import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const biome = join(import.meta.dirname, '../node_modules/.bin/biome');
const config = join(import.meta.dirname, '../biome.json');

/** What a module may import, and what it must not: the direction of imports, from the outside to the schemas. */
const directions: [module: string, allowed: string[], refused: string[]][] = [
  [
    'src/schemas/probe.ts',
    ['zod/mini', './fields.ts', '../util/json.ts'],
    [
      'zod',
      'ky',
      'type-fest',
      'node:crypto',
      '../core/json.ts',
      '../resources/exams.ts',
      '../webhooks/events.ts',
      '../testing/sign.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/core/probe.ts',
    ['ky', 'type-fest', './json.ts', './errors/base.ts', '../util/json.ts'],
    [
      'zod',
      'zod/mini',
      'msw',
      'hono',
      'node:crypto',
      '../schemas/exam.ts',
      '../resources/exams.ts',
      '../webhooks/events.ts',
      '../testing/sign.ts',
      '../cli/main.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/core/errors/probe.ts',
    ['../redact.ts', './base.ts', '../request/url.ts', '../../util/json.ts'],
    [
      'zod/mini',
      '../../schemas/exam.ts',
      '../../resources/exams.ts',
      '../../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/resources/probe.ts',
    ['../core/operation.ts', '../core/errors/base.ts', '../schemas/exam.ts', '../util/json.ts', './exams.ts'],
    [
      'ky',
      'zod/mini',
      '../webhooks/events.ts',
      '../testing/sign.ts',
      '../client.ts',
      '../index.ts',
      '../core/index.ts',
    ],
  ],
  [
    'src/webhooks/probe.ts',
    ['../schemas/webhook-event.ts', '../core/errors/base.ts', '../util/json.ts', './verify.ts'],
    [
      'ky',
      'node:crypto',
      '../core/transport.ts',
      '../core/errors/api-error.ts',
      '../resources/webhooks.ts',
      '../testing/sign.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/proxy/probe.ts',
    ['../core/errors/base.ts', '../core/options/client-options.ts', '../util/json.ts', './fields.ts'],
    [
      'ky',
      'zod/mini',
      'node:http',
      '../core/transport.ts',
      '../resources/exams.ts',
      '../schemas/exam.ts',
      '../webhooks/node.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/opentelemetry/probe.ts',
    [
      '@opentelemetry/api',
      '../core/hooks.ts',
      '../core/errors/base.ts',
      '../util/suggest.ts',
      './attributes.ts',
    ],
    [
      'ky',
      'zod/mini',
      'node:async_hooks',
      '@opentelemetry/sdk-trace',
      '../core/transport.ts',
      '../resources/exams.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
    ],
  ],
  [
    'src/testing/probe.ts',
    ['hono', 'msw', 'node:http', '../schemas/exam.ts', './sign.ts'],
    [
      'ky',
      '../core/json.ts',
      '../resources/exams.ts',
      '../client.ts',
      '../index.ts',
      './index.ts',
      'exam-service-sdk',
      '../../examples/support/csv-file.ts',
    ],
  ],
  [
    'src/testing/emulator/probe.ts',
    ['hono', '../../schemas/exam.ts', '../sign.ts', './emulator-control.ts'],
    [
      'ky',
      '../../core/json.ts',
      '../../resources/exams.ts',
      '../../client.ts',
      '../../index.ts',
      '../index.ts',
      '../control/route.ts',
      '../console/guard.ts',
    ],
  ],
  [
    'src/client.ts',
    ['./core/transport.ts', './resources/exams.ts'],
    [
      'ky',
      'zod/mini',
      './schemas/exam.ts',
      './webhooks/verify.ts',
      './testing/sign.ts',
      './index.ts',
      './core/index.ts',
    ],
  ],
  [
    'src/util/probe.ts',
    ['./json.ts'],
    ['ky', 'zod/mini', 'type-fest', '../core/json.ts', '../schemas/exam.ts', '../client.ts', './index.ts'],
  ],
  [
    'src/cli/probe.ts',
    ['node:util'],
    ['../index.ts', '../testing/index.ts', '../webhooks/index.ts', '../../examples/support/csv-file.ts'],
  ],
];

let project = '';
let findings: { rule: string; file: string; line: number }[] = [];

function write(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The line of a probe that imports this module. */
const lineOf = (modules: ReadonlyArray<string>, module: string) => modules.indexOf(module) + 1;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'lint-'));
  copyFileSync(config, join(project, 'biome.json'));
  for (const [path, allowed, refused] of directions) {
    const modules = [...allowed, ...refused];
    write(path, modules.map((module, index) => `import { v${index} } from '${module}';\n`).join(''));
  }
  write('src/schemas/hen.ts', "import type { Egg } from './egg.ts';\nexport type Hen = { egg: Egg };\n");
  write('src/schemas/egg.ts', "import type { Hen } from './hen.ts';\nexport type Egg = { hen: Hen };\n");
  write('src/schemas/nest.ts', "import type { Hen } from './hen.ts';\nexport type Nest = { hen: Hen };\n");
  const options = ['--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none'];
  const { stdout, error } = spawnSync(biome, ['lint', ...options, '.'], { cwd: project, encoding: 'utf8' });
  if (error !== undefined) throw error;
  findings = [
    ...stdout.matchAll(/^::error title=(?<rule>[^,]+),file=(?<file>[^,]+),line=(?<line>\d+)/gm),
  ].map(({ groups }) => ({
    rule: groups?.['rule'] ?? '',
    file: groups?.['file']?.replace(`${project}/`, '') ?? '',
    line: Number(groups?.['line']),
  }));
});

afterAll(() => rmSync(project, { recursive: true }));

const isRefused = (rule: string, file: string, line?: number) =>
  findings.some(
    (finding) => finding.rule === rule && finding.file === file && (line ?? finding.line) === finding.line,
  );

describe.each(directions)('%s', (path, allowed, refused) => {
  const modules = [...allowed, ...refused];

  test.each(allowed)('may import %s', (module) => {
    expect(isRefused('lint/style/noRestrictedImports', path, lineOf(modules, module))).toBe(false);
  });

  test.each(refused)('must not import %s', (module) => {
    expect(isRefused('lint/style/noRestrictedImports', path, lineOf(modules, module))).toBe(true);
  });
});

test('a cycle is refused, also one of types only', () => {
  expect(isRefused('lint/suspicious/noImportCycles', 'src/schemas/hen.ts')).toBe(true);
  expect(isRefused('lint/suspicious/noImportCycles', 'src/schemas/egg.ts')).toBe(true);
  expect(isRefused('lint/suspicious/noImportCycles', 'src/schemas/nest.ts')).toBe(false);
});

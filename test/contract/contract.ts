import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { tsc } from '../helpers/compiler.ts';
import { isLong } from '../helpers/requirements.ts';

/** Holds what is published against the tools of other people: `npm run test:contract`. */

const home = import.meta.dirname;
const root = join(home, '..', '..');
const document = join(root, 'spec', 'openapi.json');
const generated = join(home, 'generated');
const tool = (name: string) => join(home, 'node_modules', '.bin', name);

/** Runs a program of JavaScript on this Node, and fails with what it printed. */
async function run(script: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } };
  try {
    return await promisify(execFile)(process.execPath, [script, ...parameters], options);
  } catch (error) {
    const { stdout, stderr } = Object(error);
    throw new Error(`${script} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(generated, { recursive: true, force: true });
});

test('Spectral finds nothing, by spectral:oas', async () => {
  const ruleset = join(home, 'spectral.yaml');
  const { stdout } = await run(tool('spectral'), [
    'lint',
    '--quiet',
    '--ruleset',
    ruleset,
    '--format',
    'json',
    '--fail-severity',
    'hint',
    document,
  ]);
  expect(JSON.parse(stdout)).toEqual([]);
});

test('Redocly finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const source = await readFile(document, 'utf8');
  const findings = await lintFromString({ source, absoluteRef: 'spec/openapi.json', config });
  expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test('the bill of materials is CycloneDX 1.6', async () => {
  const text = await readFile(join(root, 'dist', 'sbom.cdx.json'), 'utf8');
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBeNull();
  // The validator does find faults.
  expect(await validator.validate(text.replace('"MIT"', '"no licence"'))).not.toBeNull();
});

test('the documents have no word that is spelt wrong', async () => {
  const texts = ['*.md', 'docs/*.md', 'examples/**/*.md', '.github/**/*.md'];
  const parameters = ['lint', '--config', join(home, 'cspell.json'), '--root', root, '--no-progress'];
  const { stderr } = await run(tool('cspell'), [...parameters, ...texts]);
  expect(stderr).toMatch(/Files checked: \d{2,}, Issues found: 0/);
});

test('knip finds no file, export or dependency that nothing uses', async () => {
  await run(tool('knip'), ['--config', join(home, 'knip.json'), '--directory', root, '--no-progress']);
});

const generators: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'openapi-fetch': ['openapi-typescript', document, '-o', join(generated, 'openapi-typescript.ts')],
  'hey-api': ['openapi-ts', '-i', document, '-o', join(generated, 'hey-api'), '-c', '@hey-api/client-fetch'],
  orval: ['orval', '--input', document, '--output', join(generated, 'orval.ts'), '--client', 'fetch'],
};

describe.runIf(isLong)('generated clients', () => {
  beforeAll(async () => {
    for (const [name, ...parameters] of Object.values(generators)) await run(tool(name), parameters);
  }, 120_000);

  test("compile under strict, and Prism's proxy with them", async () => {
    await run(tsc, ['-p', join(home, 'clients')]);
  });

  test.each(Object.keys(generators))('%s imports, assigns, lists and registers a webhook', async (name) => {
    const emulator = createEmulator({ apiKey: 'contract-key', fetch: async () => new Response('OK') });
    emulator.control.seedExams(1);
    const server = await emulator.listen();
    try {
      const outfile = join(folder, `${name}.mjs`);
      const entryPoints = [join(home, 'clients', `${name}.ts`)];
      await build({
        entryPoints,
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'silent',
      });
      await run(outfile, [], { BASE_URL: server.url, API_KEY: 'contract-key' });
      expect(emulator.requests.map(({ operation }) => operation)).toEqual([
        'participants.import',
        'examParticipants.assign',
        'participants.list',
        'webhooks.create',
      ]);
    } finally {
      await server.close();
    }
  });
});

/** The one request of the suite that is meant to be rejected, once in each style. */
const DELIBERATE = 'Request body property participants.0.email must match format "email"';

test.runIf(isLong)(
  'Prism, between the client and the emulator in every style, finds no violation',
  async () => {
    const PRISM_REPORT = join(folder, 'prism.txt');
    const suite = [
      'run',
      'test/emulator/client-styles.test.ts',
      '-t',
      'over HTTP',
      '--coverage.enabled=false',
    ];
    const EMULATOR_VIA = join(home, 'via-prism.ts');
    await run(join(root, 'node_modules', 'vitest', 'vitest.mjs'), suite, { EMULATOR_VIA, PRISM_REPORT });
    const lines = (await readFile(PRISM_REPORT, 'utf8')).trim().split('\n');
    const violations = lines.filter((line) => line !== 'request' && !line.includes(DELIBERATE));
    expect(violations).toEqual([]);
    console.log(`Prism saw ${lines.filter((line) => line === 'request').length} requests.`);
    expect(lines.length).toBeGreaterThan(200);
  },
);

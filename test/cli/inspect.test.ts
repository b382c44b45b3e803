import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/testing/index.ts';
import { styles } from '../emulator/client-service.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { startCli, temporaryFolder } from './helpers.ts';

const key = 'a-key-that-nobody-may-see';
const env = { EXAM_SERVICE_API_KEY: key };

async function startFilled(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const service = await startServer({ apiKey: key, ...options });
  service.emulator.control.seedExams(2);
  service.emulator.control.seedParticipants([
    { email: 'ana.putri@example.com', name: 'Ana Putri' },
    { email: 'kofi.eriksen@example.com', name: 'Kofi Eriksen', verified: false },
  ]);
  service.emulator.control.seedResults([
    { participant_id: 1, exam_id: 1, score: 87.5 },
    { participant_id: 2, exam_id: 1, score: 40 },
  ]);
  return service;
}

async function inspect(args: readonly string[], environment: Record<string, string> = env) {
  const run = startCli(['inspect', ...args], { env: environment });
  const code = await run.exitCode;
  return { code, stdout: run.stdout, stderr: run.stderr };
}

describe.each(styles)('a service of the style %s', (style) => {
  test('is described with its credentials, form and pages, and nothing is changed in it', async () => {
    await using service = await startFilled({ style });
    await using folder = await temporaryFolder();
    const before = service.emulator.snapshot();
    const { code, stdout, stderr } = await inspect(['--base-url', service.url, '--out', folder.file('s.ts')]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    for (const path of ['/participants', '/exams', '/exam-results']) {
      expect(stdout).toMatch(new RegExp(`^  GET ${path} +200 +401$`, 'm'));
      expect(stdout).toMatch(new RegExp(`^  GET ${path} +${style}: the list is `, 'm'));
      expect(stdout).toMatch(new RegExp(`^  GET ${path} .*; \`limit\` and \`page\` work$`, 'm'));
    }
    expect(stdout).toMatch(/^ {2}GET \/webhooks +401 +200$/m);
    expect(stdout).toMatch(/^ {2}GET \/webhooks +envelope: the list is under data$/m);
    expect(new Set(service.emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(service.emulator.requests.map(({ operation }) => operation)).not.toContain(
      'examParticipants.link',
    );
    expect(service.emulator.snapshot()).toEqual(before);
  });

  test('shows neither the key nor a value of a record, on the screen or in the file', async () => {
    await using service = await startFilled({ style });
    await using folder = await temporaryFolder();
    const { stdout, stderr } = await inspect(['--base-url', service.url, '--out', folder.file('s.ts')]);
    const written = stdout + stderr + (await readFile(folder.file('s.ts'), 'utf8'));
    for (const secret of [key, 'ana.putri', 'Ana Putri', 'Kofi', '87.5', '+07:00']) {
      expect(written).not.toContain(secret);
    }
    expect(stdout).toMatch(/^ {2}email +string$/m);
    expect(stdout).toMatch(/^ {2}email_verified_at +string or null$/m);
    expect(stdout).toMatch(/^ {2}score +number$/m);
    expect(stdout).toMatch(/^ {2}exam_quiz +object$/m);
  });
});

test.each([
  ['resource', 'current_page, per_page, total, last_page in meta'],
  ['paginator', 'current_page, per_page, total, last_page, next_page_url in the root'],
  ['envelope', 'current_page, per_page, total, last_page in meta.pagination'],
  ['bare', 'no metadata'],
] as const)('the page metadata of the style %s are: %s', async (style, words) => {
  await using service = await startFilled({ style });
  await using folder = await temporaryFolder();
  const { stdout } = await inspect(['--base-url', service.url, '--out', folder.file('s.ts')]);
  expect(stdout).toMatch(new RegExp(`^  GET /exams +${words};`, 'm'));
});

describe('what it cannot do', () => {
  test('is to overwrite a file without --force', async () => {
    await using service = await startFilled();
    await using folder = await temporaryFolder();
    const args = ['--base-url', service.url, '--out', folder.file('s.ts')];
    await writeFile(folder.file('s.ts'), 'mine');
    const rejected = await inspect(args);
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toContain('s.ts already exists; use --force to overwrite it.');
    expect(await readFile(folder.file('s.ts'), 'utf8')).toBe('mine');
    expect((await inspect([...args, '--force'])).code).toBe(0);
    expect(await readFile(folder.file('s.ts'), 'utf8')).toContain('export const schemas = {');
  });

  test('is to infer a schema where there is no record', async () => {
    await using service = await startServer({ apiKey: key });
    await using folder = await temporaryFolder();
    const { code, stderr } = await inspect(['--base-url', service.url, '--out', folder.file('s.ts')]);
    expect(code).toBe(1);
    expect(stderr).toBe('There was no record to infer a schema from. Nothing was written.\n');
    await expect(readFile(folder.file('s.ts'))).rejects.toThrow('ENOENT');
  });

  test('is to read with a key that is rejected; the statuses are shown', async () => {
    await using service = await startFilled();
    await using folder = await temporaryFolder();
    const args = ['--base-url', service.url, '--out', folder.file('s.ts')];
    const { code, stdout, stderr } = await inspect(args, { EXAM_SERVICE_API_KEY: 'another-key' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}GET \/exams +401 +401$/m);
    expect(stdout).toMatch(/^ {2}GET \/webhooks +401 +401$/m);
    expect(stdout).not.toContain('another-key');
    expect(stderr).toMatch(/^The service rejects the key \(401\)\. Check EXAM_SERVICE_API_KEY/);
  });

  test('is to reach a service that is not there', async () => {
    const service = await startFilled();
    await service[Symbol.asyncDispose]();
    const run = startCli(['inspect', '--base-url', service.url, '--out', 's.ts'], { env });
    await run.stop();
    expect(await run.exitCode).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).not.toContain(key);
  });
});

test('a key on the command line works, with a warning that does not repeat it', async () => {
  await using service = await startFilled();
  await using folder = await temporaryFolder();
  const args = ['--base-url', service.url, '--api-key', key, '--out', folder.file('s.ts')];
  const { code, stderr } = await inspect(args, {});
  expect(code).toBe(0);
  expect(stderr).toBe('Other users can read a key on the command line: set EXAM_SERVICE_API_KEY instead.\n');
});

test.each([
  [[], {}, '--base-url or EXAM_SERVICE_BASE_URL is missing.'],
  [['--base-url', 'https://host/api/v1'], {}, 'EXAM_SERVICE_API_KEY or --api-key is missing.'],
  [
    ['--base-url', 'https://h', '--records', '0'],
    env,
    '--records needs a whole number from 1 to 100, not 0.',
  ],
  [['--base-url', 'https://h', '--library', 'joi'], env, '--library must be one of zod, zod/mini, not joi.'],
] as const)('%j is a wrong call', async (args, environment, words) => {
  const { code, stderr } = await inspect(args, environment);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test('an address that cannot be right is reported before a file that is in the way', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('s.ts'), 'mine');
  const { stderr } = await inspect(['--base-url', 'exams.example.com', '--out', folder.file('s.ts')]);
  expect(stderr).toMatch(/^--base-url must be an absolute http or https URL/);
});

test('plain http to another machine is rejected before the key is sent', async () => {
  const { code, stderr } = await inspect(['--base-url', 'http://exams.example.com/api/v1']);
  expect(code).toBe(1);
  expect(stderr).toContain('http');
  expect(stderr).not.toContain(key);
});

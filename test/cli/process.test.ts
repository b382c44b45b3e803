import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { textAt } from '../emulator/helpers.ts';
import { longTest } from '../helpers/long-test.ts';
import { someOf } from '../helpers/requirements.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The program as it is published, in a process of its own. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { stdout: child.stdout, child, exit: once(child, 'exit'), errors: text(child.stderr) };
}

/** A device of Linux that is always full. */
const FULL = '/dev/full';

/** Runs the program where a stream writes to the full device, and gives its exit code and what it says on the other. */
async function runToFull(stream: 'stdout' | 'stderr', ...args: string[]): Promise<[unknown, string]> {
  await using full = await open(FULL, 'w');
  const stdio: StdioOptions = stream === 'stdout' ? ['ignore', full.fd, 'pipe'] : ['ignore', 'pipe', full.fd];
  const child = spawn(process.execPath, [program, ...args], { stdio });
  const other = child[stream === 'stdout' ? 'stderr' : 'stdout'];
  const [[code], said] = await Promise.all([once(child, 'exit'), other === null ? '' : text(other)]);
  return [code, said];
}

/** An emulator that listens, with the address of its console. */
async function startEmulator(...options: string[]) {
  const run = start('emulator', '--port', '0', '--json', ...options);
  const [line] = await once(run.stdout, 'data');
  return { ...run, address: textAt(JSON.parse(String(line)), 'console_url') };
}

/** Creates an endpoint, and gives the base URL of the service. */
async function createEndpoint(address: string): Promise<string> {
  const baseUrl = `${address}api/v1`;
  const created = await fetch(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://receiver.example.test/', events: ['exam_result.scored'] }),
  });
  expect(created.status).toBe(201);
  return baseUrl;
}

test.each(someOf(['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
  '%s ends it in order, also while a client is connected',
  async (signal) => {
    const { child, stdout, exit, errors, address } = await startEmulator();
    const rest = text(stdout);
    const events = await fetch(`${address}console/events`);
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    await expect(events.text()).rejects.toThrow();
    expect(await rest).toMatch(/"type":"stopped"\}\n$/);
    expect(await errors).toBe('');
  },
);

longTest('it ends when nobody reads its output any more', async () => {
  const { stdout, exit, errors, address } = await startEmulator();
  stdout.destroy();
  await fetch(`${address}api/v1/exams`);
  expect(await exit).toEqual([0, null]);
  expect(await errors).toBe('');
});

longTest(
  'a signal ends it in order while its output is a pipe that nobody reads, and what it holds has a bound',
  async () => {
    const { child, stdout, exit, address } = await startEmulator();
    stdout.pause();
    const headers = { 'X-Client-Key': 'test-key' };
    for (let sent = 0; sent < 900; sent += 1) {
      await (await fetch(`${address}api/v1/exams?padding=${'x'.repeat(2000)}`, { headers })).text();
    }
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect((await text(stdout)).length).toBeLessThan(600_000);
  },
);

describe.runIf(existsSync(FULL))('on a full disk', () => {
  const full = 'The output cannot be written: ENOSPC: no space left on device, write\n';

  longTest.each([[['help']], [['emulator', '--port', '0']]])(
    '%j ends with code 1, and says why',
    async (args) => {
      expect(await runToFull('stdout', ...args)).toEqual([1, full]);
    },
  );

  longTest.each([
    ['inspect', '--json'],
    ['trigger', 'exam_result.scored', '--endpoint', '2'],
  ])('%s %s ends with code 1, and says why', async (...args) => {
    const { child, exit, address } = await startEmulator('--demo');
    const service = ['--base-url', await createEndpoint(address), '--api-key', 'test-key'];
    const [code, said] = await runToFull('stdout', ...args, ...service);
    child.kill();
    await exit;
    expect(code).toBe(1);
    expect(said).toContain(full);
  });

  longTest('a wrong call, of which nothing can be said, is a failure too', async () => {
    expect(await runToFull('stderr', 'emulator', '--prot', '1')).toEqual([1, '']);
  });
});

test('a wrong call ends with code 2 and words, not a stack', async () => {
  const { stdout, exit, errors } = start('emulator', '--prot', '1');
  expect(await text(stdout)).toBe('');
  expect(await exit).toEqual([2, null]);
  expect(await errors).toBe(
    'Unknown option --prot. Did you mean --port?\nRun "exam-service-sdk emulator --help" for usage.\n',
  );
});

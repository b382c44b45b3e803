import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { textAt } from '../emulator/helpers.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The program as it is published, in a process of its own. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { stdout: child.stdout, child, exit: once(child, 'exit'), errors: text(child.stderr) };
}

/** An emulator that listens, with the address of its console. */
async function startEmulator() {
  const run = start('emulator', '--port', '0', '--json');
  const [line] = await once(run.stdout, 'data');
  return { ...run, address: textAt(JSON.parse(String(line)), 'console_url') };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it in order, also while somebody is connected',
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

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends listen in order', async (signal) => {
  const service = await startEmulator();
  const baseUrl = `${service.address}api/v1`;
  const created = await fetch(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://receiver.example.test/', events: ['exam_result.scored'] }),
  });
  expect(created.status).toBe(201);
  const options = [
    '--api-key',
    'test-key',
    '--endpoint',
    '1',
    '--forward-to',
    'http://127.0.0.1:1/',
    '--json',
  ];
  const run = start('listen', '--base-url', baseUrl, ...options);
  await once(run.stdout, 'data');
  const rest = text(run.stdout);
  run.child.kill(signal);
  expect(await run.exit).toEqual([0, null]);
  expect(await rest).toMatch(/"type":"stopped"\}\n$/);
  service.child.kill();
  await service.exit;
});

test('it ends when nobody reads its output any more', async () => {
  const { stdout, exit, errors, address } = await startEmulator();
  stdout.destroy();
  await fetch(`${address}api/v1/exams`);
  expect(await exit).toEqual([0, null]);
  expect(await errors).toBe('');
});

test('a wrong call ends with code 2 and words, not a stack', async () => {
  const { stdout, exit, errors } = start('emulator', '--prot', '1');
  expect(await text(stdout)).toBe('');
  expect(await exit).toEqual([2, null]);
  expect(await errors).toBe(
    'Unknown option --prot. Did you mean --port?\nRun "exam-service-sdk emulator --help" for usage.\n',
  );
});

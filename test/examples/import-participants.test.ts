import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file, linesOf } = service;

/** Writes the file that is imported. */
const write = (rows: readonly string[], header = 'email,name,password') =>
  writeFile(file('in.csv'), `${header}\n${rows.join('\n')}\n`);
/** Imports that file, or `source`. */
const run = (
  more: readonly string[] = [],
  source = file('in.csv'),
  onStart?: (child: ChildProcess) => void,
) => service.run('import-participants.ts', [source, file('rejected.csv'), ...more], onStart);
const sample = 'examples/data/participants.csv';

describe('import-participants', () => {
  it('imports a CSV file and writes the rejected rows to another, without passwords', async () => {
    const { code, stdout, stderr } = await run([], sample);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('Imported 194, rejected 6');
    const [header, ...rows] = await linesOf('rejected.csv');
    expect(header).toBe('line,email,name,reason');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['18', '43', '79', '120', '152', '185']);
    expect(rows.map((row) => row.split(',').at(-1))).toEqual([
      'email must not be empty',
      'name must not be empty',
      'password must not be empty',
      'email: The email field must be a valid email address.',
      'password must not be empty',
      'email: The email field must be a valid email address.',
    ]);
  });

  longTest('says where to go on when it was stopped, and goes on there', async () => {
    const rows = Array.from(
      { length: 450 },
      (_, index) => `p${index}@example.test,Person ${index},password-${index}`,
    );
    await write(rows);
    service.emulator.control.setClientActive(false);
    const stopped = await run();
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/Run it again with --resume-from 0:[0-9a-f]{8}:\n/);
    service.emulator.control.setClientActive(true);
    const rest = await run(['--resume-from', '200']);
    expect(rest.stdout).toContain('Imported 250, rejected 0');
  });

  longTest('goes on only if the rows before are as they were', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => `p${index}@example.test,P,password-${index}`);
    await write(rows);
    service.emulator.subscribe(({ type }) => {
      if (type === 'request' && service.emulator.requests.length === 10)
        service.emulator.control.setClientActive(false);
    });
    const stopped = await service.run('import-participants.ts', [file('in.csv'), file('left out.csv')]);
    const [, row, digest] = /left out\.csv" --resume-from (\d+):([0-9a-f]{8})\n/.exec(stopped.stderr) ?? [];
    expect(Number(row)).toBeGreaterThan(0);
    service.emulator.control.setClientActive(true);
    const goOn = (from = `${row}:${digest}`) =>
      service.run('import-participants.ts', [file('in.csv'), file('left out.csv'), '--resume-from', from]);

    const sent = service.emulator.requests.length;
    const kept = rows[0] ?? '';
    const shorter = rows.splice(100);
    await write(rows);
    expect(await goOn()).toMatchObject({ code: 1, stderr: expect.stringContaining('have changed since') });
    rows.push(...shorter);
    rows[0] = 'p0@example.test,P,password-new';
    await write(rows);
    expect(await goOn()).toMatchObject({ code: 1, stderr: expect.stringContaining('have changed since') });
    rows.splice(0, 1, '', kept);
    await write(rows);
    expect(await goOn()).toMatchObject({ code: 1, stderr: expect.stringContaining('have changed since') });
    expect(await goOn('two hundred')).toMatchObject({ code: 1, stderr: expect.stringContaining('copy it') });
    expect(service.emulator.requests).toHaveLength(sent);

    // Rows after it may be put right.
    rows.splice(0, 2, kept);
    rows[449] = 'last@example.test,Last,password-last';
    await write(rows);
    expect(await goOn()).toMatchObject({ code: 0, stderr: '' });
    expect(service.emulator.snapshot().participants).toHaveLength(450);
    expect(service.emulator.snapshot().participants.at(-1)).toMatchObject({ name: 'Last' });
  });

  longTest.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'prints the command that resumes after %s, and keeps what it wrote',
    async (signal) => {
      const rows = Array.from(
        { length: 2_000 },
        (_, index) => `p${index}@example.test,${index === 3 ? '' : 'Person'},password-${index}`,
      );
      await write(rows);
      const running = run([], file('in.csv'), (child) => {
        const check = () => {
          if (service.emulator.requests.length < 5) setImmediate(check);
          else child.kill(signal);
        };
        check();
      });
      const { code, stderr } = await running;
      expect(code).toBe(1);
      const [, resumeFrom] =
        /import-participants\.ts \S+in\.csv \S+rejected\.csv --resume-from (\d+)/.exec(stderr) ?? [];
      expect(Number(resumeFrom)).toBeGreaterThan(0);
      expect(await linesOf('rejected.csv')).toHaveLength(2);
    },
  );

  longTest(
    'writes every rejected row, however many there are, and keeps them when it is resumed',
    async () => {
      const rows = Array.from({ length: 1_200 }, (_, index) => `p${index}@example.test,,password-${index}`);
      await write(rows);
      const { code, stdout } = await run();
      expect(code).toBe(1);
      expect(stdout).toContain('Imported 0, rejected 1200');
      const written = await linesOf('rejected.csv');
      expect(written.slice(1)).toEqual(
        rows.map((_, index) => `${index + 2},p${index}@example.test,,name must not be empty`),
      );
      // The last of a chain of runs may reject nothing itself; the file still has rows.
      for (const from of [1_150, 1_200]) {
        const stdout = expect.stringContaining(`rejected ${1_200 - from}, ${from} by earlier runs`);
        expect(await run(['--resume-from', `${from}`])).toMatchObject({ code: 1, stdout });
        expect(await linesOf('rejected.csv')).toEqual(written);
      }
    },
  );
});

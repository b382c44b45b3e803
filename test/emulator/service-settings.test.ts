import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { runToEnd } from '../cli/helpers.ts';
import { at, seedPair, startService } from './helpers.ts';

const guide = await readFile(new URL('../../docs/emulator.md', import.meta.url), 'utf8');

/** Settings, which may change while an emulator runs. */

test('settings change while it runs, and a reset takes that back', async () => {
  await using service = await startService({ style: 'bare', maxParticipants: 1 });
  const { emulator } = service;
  seedPair(service);
  emulator.control.configure({ style: 'envelope', maxParticipants: 5 });
  expect(emulator.settings).toMatchObject({ style: 'envelope', maxParticipants: 5, utcOffset: 420 });
  expect((await service.call('GET', '/exams')).json).toMatchObject({ success: true, data: [{ id: 1 }] });
  emulator.control.configure({ utcOffset: 0 });
  expect(at((await service.call('GET', '/exams/1')).json, 'data', 'created_at')).toBe(
    '2025-03-01T01:00:00+00:00',
  );
  expect(() => emulator.control.configure({ maxParticipants: -1 })).toThrow(RangeError);
  emulator.reset();
  expect(emulator.settings).toMatchObject({ style: 'bare', maxParticipants: 1, utcOffset: 420 });
  expect((await service.call('GET', '/exams')).json).toEqual([]);
});

test('the defaults of one emulator are its own', () => {
  const [one, other] = [createEmulator(), createEmulator()];
  Object.assign(one.settings.importedParticipants, { verified: false });
  Object.assign(one.settings.retryDelays, [1]);
  expect(other.settings.importedParticipants).toEqual({ active: true, verified: true });
  expect(other.settings.retryDelays[0]).toBe(10_000);
});

describe('the table of settings in the guide', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (.*?) \| (?:`(--[a-z-]+)`.*? )?\| (.*) \|$/gm)];
  const { settings } = createEmulator();

  test('has every setting, in the order and with the default of the emulator', () => {
    const names = ['apiKey', 'clock', 'fetch'];
    expect(rows.map(([, name]) => name)).toEqual(
      Object.keys(settings).filter((name) => !names.includes(name)),
    );
    for (const [, name = '', shown = ''] of rows) {
      const value: unknown = Reflect.get(settings, name);
      if (value === Number.POSITIVE_INFINITY) expect(shown).toBe('no limit');
      else if (name === 'importedParticipants') expect(shown).toBe('active, verified');
      else if (typeof value === 'string') expect(shown).toBe(`\`${value}\``);
      else expect(JSON.parse(shown.replaceAll(/[`_]/g, ''))).toEqual(value);
    }
  });

  test('has the options of the command line, in its words', async () => {
    const { stdout } = await runToEnd('emulator', '--help');
    const help = stdout.replaceAll(/\s+/g, ' ');
    const options = rows.filter(([, , , option]) => option !== undefined);
    expect(options).toHaveLength(9);
    for (const [, name, , option, about = ''] of options) {
      expect(help).toContain(` ${option} `);
      if (name !== 'retryDelays') expect(help).toContain(about.split(':')[0]);
    }
  });
});

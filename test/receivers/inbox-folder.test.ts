import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { secret, send } from './deliveries.ts';
import { createPgliteDatabase, createPgliteFolder } from './inbox-helpers.ts';
import { eventsOf, start } from './inbox-run.ts';
import { runRecipe } from './recipe.ts';

describe('the folder of the inbox over PGlite', () => {
  longTest('a second process cannot open the folder, but one that follows a killed one can', async () => {
    await using database = await createPgliteFolder();
    const first = await start(database, ['receiver'], {});
    const rejected = await runRecipe('../inbox/status', [], database.env);
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toMatch(/Process \d+ has .+ open\. Stop it first/);
    await first.stop('SIGKILL');
    const status = await runRecipe('../inbox/status', [], database.env);
    expect([status.code, status.stderr]).toEqual([0, '']);
  });

  longTest('one of four processes takes the folder of a killed one, in each of 50 rounds', async () => {
    await using database = await createPgliteFolder();
    const folder = database.env['INBOX_DIR'] ?? '';
    const contenders = Array.from({ length: 4 }, () =>
      fork(fileURLToPath(new URL('inbox-contender.ts', import.meta.url)), [folder]),
    );
    try {
      for (let round = 0; round < 50; round += 1) {
        await mkdir(`${folder}.lock`, { recursive: true });
        // No system gives such a number.
        await writeFile(join(`${folder}.lock`, '999999999-killed'), '');
        const messages = contenders.map((contender) => once(contender, 'message'));
        for (const contender of contenders) contender.send('take');
        const taken = (await Promise.all(messages)).map(([message]) => message);
        expect(taken.filter((message) => message === 'taken')).toHaveLength(1);
        const released = contenders.map((contender) => once(contender, 'message'));
        for (const contender of contenders) contender.send('release');
        await Promise.all(released);
        expect(await readdir(dirname(folder))).toEqual([]);
      }
    } finally {
      for (const contender of contenders) contender.kill();
    }
  });

  longTest('with too little room on the disk, deliveries get a 503', async () => {
    await using database = await createPgliteDatabase();
    const event = eventsOf(1)[0] ?? {};
    const delivery = signedWebhook({ body: JSON.stringify(event), secret });
    await using full = await start(database, ['receiver'], { INBOX_FREE_MB: '1000000000' });
    expect(await send(full.url, delivery)).toEqual({
      status: 503,
      text: 'There is no room for more events.',
    });
    expect(full.errors.join()).toContain('PGlite is for trying out.');
    expect(await full.stop()).toBe(0);
    await using receiver = await start(database, ['receiver'], {});
    expect((await send(receiver.url, delivery)).status).toBe(204);
    expect(await receiver.stop()).toBe(0);
  });
});

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../emulator/helpers.ts';
import { findings } from '../helpers/axe.ts';
import { longTest } from '../helpers/long-test.ts';
import { hasBrowser, launchBrowser } from './browser.ts';
import { consoleUrl, startFilled, takeExam } from './helpers.ts';

const wide: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

/** A page of the console, which has to run without a mistake. */
interface Opened extends AsyncDisposable {
  page: Page;
  problems: string[];
}

describe.skipIf(!hasBrowser)('the console in Chromium', () => {
  let launched: Awaited<ReturnType<typeof launchBrowser>>;
  let browser: Browser;
  beforeAll(async () => {
    launched = await launchBrowser();
    browser = launched.browser;
  });
  afterAll(() => launched[Symbol.asyncDispose]());

  async function open(service: Service, options: BrowserContextOptions = wide): Promise<Opened> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    const connected = page.waitForResponse((response) => response.url().endsWith('/console/events'));
    await page.goto(consoleUrl(service));
    await connected;
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  test('an exam is started and finished with a score, and its deliveries show, without a reload', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.getByRole('button', { name: 'Start the exam of Ana Putri' }).click();
    const score = page.getByLabel('Score of Ana Putri');
    await score.fill('91.5');
    await page.getByRole('button', { name: 'Finish the exam of Ana Putri' }).click();
    await page.locator('#results').getByText('91.5').waitFor();
    await page.getByRole('status').getByText('result 1, score 91.5').waitFor();
    const delivery = page.locator('#deliveries details', { hasText: 'delivered' });
    await delivery.locator('summary').click();
    await delivery.getByText('X-Cbt-Signature: t=').waitFor();
    expect(await delivery.getByLabel('Payload').textContent()).toContain('"score": 91.5');
    expect(problems).toEqual([]);
  });

  test('what happens elsewhere shows at once, and what the reader is doing stays', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    service.emulator.control.startExam({ participant_id: 4, exam_id: 2 });
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.locator('#deliveries summary').first().click();
    await page.locator('#event-1').selectOption('exam_result.scored');
    await page.getByLabel('Score of Mei Lin').fill('55');
    await service.call('POST', '/participants/import', {
      body: { participants: [{ email: 'new@example.test', name: 'New Arrival', password: 'secret' }] },
    });
    service.emulator.control.seedAssignments([{ participant_id: 5, exam_id: 1 }]);
    await service.call('POST', '/webhooks/2/test');
    await page.locator('#participants td:first-child').getByText('New Arrival').waitFor();
    await page.locator('#start-4').waitFor();
    await page.locator('#deliveries h2', { hasText: '3' }).waitFor();
    expect(await page.locator('#deliveries details[open]').count()).toBe(1);
    expect(await page.locator('#event-1').inputValue()).toBe('exam_result.scored');
    expect(await page.getByLabel('Score of Mei Lin').inputValue()).toBe('55');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('score-3');
    await page.locator('#deliveries summary').first().focus();
    await service.call('POST', '/webhooks/2/test');
    await page.locator('#deliveries h2', { hasText: '4' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
    expect(problems).toEqual([]);
  });

  longTest('a test delivery is sent and faults are switched on and off', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    await page.locator('#event-1').selectOption('exam_result.scored');
    await page.locator('#test-1').click();
    await page.locator('#deliveries summary', { hasText: 'exam_result.scored' }).waitFor();
    await page.locator('#fault-status').fill('429');
    await page.getByLabel('Where').selectOption('exams.list');
    await page.getByLabel('After skipping').fill('1');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Headers as JSON').fill('{"Retry-After": "5"}');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.locator('#faults').getByText('Status 429 exams.list, 1 left, struck 0').waitFor();
    expect((await service.call('GET', '/exams')).status).toBe(200);
    const limited = await service.call('GET', '/exams');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5']);
    await page.getByText('None is switched on.').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.getByText('None is switched on.').waitFor();
  });

  test('a participant is added, verified, assigned and unassigned', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page, problems } = opened;
    const status = page.getByRole('status');
    await page.getByText('Add a participant').click();
    await page.getByLabel('Name', { exact: true }).first().fill('007');
    await page.locator('#new-verified').uncheck();
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await page.locator('#participant-5').getByText('email not verified').first().waitFor();
    await page.getByText('Assign a participant').click();
    await page.locator('#assign-participant').selectOption('007 #5');
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await status.getByText('Participant email is not verified.').waitFor();
    expect(await page.locator('#assign-participant').inputValue()).toBe('5');
    await page.locator('#edit-5-summary').click();
    await page.locator('#verified-5').check();
    await page.getByRole('button', { name: 'Save 007' }).click();
    await status.getByText('Participant 5 was changed.').waitFor();
    await page.locator('#participant-5 .badge', { hasText: 'not verified' }).waitFor({ state: 'detached' });
    expect(await page.locator('#verified-5').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByRole('button', { name: 'Unassign 007' }).click();
    await status.getByText('Unassigned participant 5 from exam 1.').waitFor();
    expect(service.emulator.snapshot().assignments).toHaveLength(3);
    await page.getByText('Add an exam').click();
    await page.locator('#new-exam-name').fill('Physics');
    await page.locator('#create-exam').click();
    await page.locator('#exam-3').getByText('Physics').waitFor();
    expect(await page.locator('#new-exam-name').inputValue()).toBe('');
    // The rejected assignment is a failed request, which browsers report.
    expect(problems).toEqual([expect.stringContaining('422')]);
  });

  longTest('a result is scored again, and its delivery sent again', async () => {
    await using service = await startFilled();
    await service.call('PATCH', '/webhooks/1', { body: { events: ['exam_result.scored'] } });
    await takeExam(service, 1, 1);
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.locator('#rescore-1-summary').click();
    await page.getByLabel('New score of Ana Putri').fill('75.25');
    await page.locator('#save-score-1').click();
    await page.locator('#result-1').getByText('75.25').first().waitFor();
    const scored = page.locator('#deliveries li', { hasText: 'exam_result.scored' });
    await scored.locator('summary').click();
    await scored.getByRole('button', { name: 'Send again' }).click();
    await scored.getByText('2 attempts').waitFor();
    expect(await page.getByLabel('New score of Ana Putri').inputValue()).toBe('75.25');
    expect(problems).toEqual([]);
  });

  test('an endpoint is added, switched off and deleted', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.getByText('Add an endpoint').click();
    await page.getByLabel('URL').fill('https://receiver.example.test/third');
    await page.locator('#endpoints').getByLabel('exam_result.scored', { exact: true }).check();
    await page.locator('#create-endpoint').click();
    await page.locator('#switch-3').click();
    await page.locator('#endpoint-3').getByText('inactive').waitFor();
    expect(service.emulator.snapshot().endpoints[2]).toMatchObject({
      events: ['exam_result.scored'],
      secret: 'test-secret',
      is_active: false,
    });
    await page.locator('#delete-3-summary').click();
    await page.locator('#delete-now-3').click();
    await page.locator('#endpoint-3').waitFor({ state: 'detached' });
    expect(service.emulator.snapshot().endpoints).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  longTest('the client is deactivated, the clock moved, and the settings are changed', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.getByRole('button', { name: 'Deactivate the client' }).click();
    await page.getByRole('button', { name: 'Activate the client', exact: true }).waitFor();
    expect((await service.call('GET', '/exams')).status).toBe(403);
    await page.getByText('Move the clock').click();
    await page.getByLabel('Forward').selectOption('by a day');
    await page.locator('#advance').click();
    await page.getByRole('status').getByText('2025-03-02T08:00:00+07:00').waitFor();
    expect(service.emulator.deliveries.length).toBeGreaterThan(2);
    await page.getByText('Change the settings').click();
    await page.getByLabel('Style').selectOption('envelope');
    await page.getByLabel('Max participants', { exact: true }).fill('7');
    await page.getByLabel('Retry delays').fill('[5]');
    await page.locator('#save-settings').click();
    await page.getByRole('status').getByText('The settings were changed.').waitFor();
    expect(service.emulator.settings).toMatchObject({
      style: 'envelope',
      maxParticipants: 7,
      retryDelays: [5],
      maxParticipantsPerExam: Number.POSITIVE_INFINITY,
    });
    const shown = async () => [
      await page.getByLabel('Style').inputValue(),
      await page.getByLabel('Max participants', { exact: true }).inputValue(),
      await page.getByLabel('Retry delays').inputValue(),
    ];
    await expect.poll(shown).toEqual(['envelope', '7', '[5]']);
    expect(problems).toEqual([]);
  });

  longTest('all data is saved to a file and loaded from it, and a seed is added', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page, problems } = opened;
    const before = service.emulator.snapshot();
    await page.getByText('Load and save data').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save all data' }).click(),
    ]);
    const saved = await download.path();
    service.emulator.reset();
    await page.getByText('No data yet').waitFor();
    await page.getByLabel('State, in place of all data').setInputFiles(saved);
    await page.locator('#load-state').click();
    await page.getByRole('status').getByText('The snapshot was loaded.').waitFor();
    expect(service.emulator.snapshot()).toEqual(before);
    const seed = { name: 'seed.json', mimeType: 'application/json', buffer: Buffer.from('{"exams":2}') };
    await page.getByLabel('Seed, added to the data').setInputFiles(seed);
    await page.locator('#load-seed').click();
    await page.locator('#exam-4').waitFor();
    expect(problems).toEqual([]);
  });

  longTest('the whole of it works with the keyboard alone, and shows where one is', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the assignments');
    await page.keyboard.press('Enter');
    const seen = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      await page.keyboard.press('Tab');
      const { id, outline } = await page.evaluate(() => ({
        id: document.activeElement?.id ?? '',
        outline: getComputedStyle(document.activeElement ?? document.body).outlineStyle,
      }));
      if (id !== '') {
        seen.add(id);
        expect(outline, `no outline on ${id}`).toBe('solid');
      }
      if (id === 'start-1') break;
    }
    expect(seen).toContain('start-1');
    await page.keyboard.press('Enter');
    await page.locator('#score-1:focus').waitFor();
    await page.keyboard.press('Enter');
    // The row has no control any more: that of the next one has the focus, or the part where there is none.
    await page.locator('#results').getByText('80').waitFor();
    await page.locator('#assignments:focus').waitFor();
    expect(service.emulator.snapshot().results).toMatchObject([{ participant_id: 1, score: 80 }]);
  });

  longTest('rows that go, come and move are those of the page as it would load', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    await page.locator('#unassign-1').focus();
    const shown = () =>
      page.evaluate(() => [...document.querySelectorAll('main tr, main li')].map(({ id }) => id));
    for (const change of [
      () => service.call('POST', '/exam-participants/unassign', { body: { participant_id: 3, exam_id: 1 } }),
      () => service.call('POST', '/exam-participants/assign', { body: { participant_id: 1, exam_id: 2 } }),
      () => service.call('DELETE', '/webhooks/1'),
      () => service.call('POST', '/webhooks/2/test'),
    ]) {
      const { length } = service.emulator.requests;
      await change();
      await page.locator('#requests h2', { hasText: String(length + 1) }).waitFor();
    }
    await expect.poll(shown).toContain('assignment-4');
    // A row above it went, another came.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('unassign-1');
    await service.emulator.settled();
    await expect
      .poll(async () => {
        const now = await shown();
        const fresh = await browser.newPage();
        await fresh.goto(consoleUrl(service));
        const loaded = await fresh.evaluate(() =>
          [...document.querySelectorAll('main tr, main li')].map(({ id }) => id),
        );
        await fresh.close();
        return JSON.stringify(now) === JSON.stringify(loaded);
      })
      .toBe(true);
  });

  longTest(
    'a table on a narrow screen has five rows and leads to the others, with targets of 24 px',
    async () => {
      await using service = await startFilled();
      service.emulator.control.seedParticipants(8);
      await using opened = await open(service, { viewport: { width: 390, height: 800 } });
      const { page } = opened;
      await page.locator('#participants').getByText('1 of 3').waitFor();
      expect(await page.locator('#participants tbody tr').count()).toBe(5);
      await page.locator('#participants-older').click();
      await page.locator('#participants').getByText('2 of 3').waitFor();
      expect(await page.locator('#participants tbody tr').count()).toBe(5);
      for (const summary of await page.locator('summary').all()) await summary.click();
      const heights = await page
        .locator('a:not(.skip), button, summary, select, input:not([type=hidden])')
        .evaluateAll((targets) =>
          targets.map((target) => (target.closest('.check') ?? target).getBoundingClientRect().height),
        );
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    },
  );

  longTest('axe-core finds nothing at 1280 and 390 px, light and dark', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    service.emulator.control.startExam({ participant_id: 3, exam_id: 1 });
    service.emulator.faults.inject({ times: 3, delay: 10 });
    await using opened = await open(service);
    const { page } = opened;
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await findings(page)).toEqual([]);
  });

  longTest.each([1280, 390])(
    'at %i px a long name, a long email and open requests push nothing out of place',
    async (width) => {
      await using service = await startFilled();
      const email = `${'maximiliane.alexandra.'.repeat(6)}x@university.example.test`;
      await service.call('POST', '/participants/import?reason=a-word-that-is-rather-long', {
        body: { participants: [{ email, name: 'x'.repeat(120), password: 'secret' }] },
      });
      service.emulator.control.seedAssignments([{ participant_id: 5, exam_id: 1 }]);
      await using opened = await open(service, { viewport: { width, height: 900 } });
      const { page } = opened;
      for (const summary of await page.locator('summary').all()) await summary.click();
      const wider = await page.evaluate(() =>
        [...document.querySelectorAll('html, section, td, dd')]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => element.id || element.tagName),
      );
      expect(wider).toEqual([]);
    },
  );

  longTest('a lost connection is said, and so is its return', async () => {
    const service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    const { port } = new URL(service.url);
    await service[Symbol.asyncDispose]();
    await page.getByRole('status').getByText('The emulator does not respond.').waitFor();
    service.emulator.control.seedParticipants([{ name: 'Came later' }]);
    await using _again = await service.emulator.listen({ port: Number(port) });
    await page.locator('#participants td:first-child').getByText('Came later').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
  });
});

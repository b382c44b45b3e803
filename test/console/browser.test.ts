import { describe, expect, test } from 'vitest';
import { findings } from '../helpers/axe.ts';
import { longTest } from '../helpers/long-test.ts';
import { hasBrowser } from './browser.ts';
import { consoleUrl, startFilled, takeExam, useConsole } from './helpers.ts';

describe.skipIf(!hasBrowser)('the console in Chromium', () => {
  const { open, newPage } = useConsole();

  test('what happens elsewhere shows at once, and what the reader is doing stays', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    service.emulator.control.startExam({ participant_id: 4, exam_id: 2 });
    await using opened = await open(service);
    const { page, problems } = opened;
    await page.locator('#deliveries summary').first().click();
    await page.locator('#webhooks-test-1-summary').click();
    await page.locator('#webhooks-test-1-event').selectOption('exam_result.scored');
    await page.locator('#exams-finish-4-2-summary').click();
    await page.locator('#exams-finish-4-2-score').fill('55');
    await service.call('POST', '/participants/import', {
      body: { participants: [{ email: 'new@example.test', name: 'New Arrival', password: 'secret' }] },
    });
    service.emulator.control.seedAssignments([{ participant_id: 5, exam_id: 1 }]);
    await service.call('POST', '/webhooks/2/test');
    await page.locator('#participants-5-summary').getByText('New Arrival').waitFor();
    await page.locator('#exams-start-5-1-send').waitFor();
    await page.locator('#deliveries h2', { hasText: '3' }).waitFor();
    expect(await page.locator('#deliveries details[open]').count()).toBe(1);
    expect(await page.locator('#webhooks-test-1-event').inputValue()).toBe('exam_result.scored');
    expect(await page.locator('#exams-finish-4-2-score').inputValue()).toBe('55');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('exams-finish-4-2-score');
    await page.locator('#deliveries summary').first().focus();
    await service.call('POST', '/webhooks/2/test');
    await page.locator('#deliveries h2', { hasText: '4' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
    expect(problems).toEqual([]);
  });

  longTest('the whole of it works with the keyboard alone, and shows where one is', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the requests');
    await page.keyboard.press('Enter');
    const seen = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      await page.keyboard.press('Tab');
      const { id, outline } = await page.evaluate(() => ({
        id: document.activeElement?.id ?? '',
        outline: getComputedStyle(document.activeElement ?? document.body).outlineStyle,
      }));
      if (id !== '') {
        seen.add(id);
        expect(outline, `no outline on ${id}`).toBe('solid');
      }
      if (id === 'exams-start-1-1-send') break;
    }
    expect(seen).toContain('exams-start-1-1-send');
    await page.keyboard.press('Enter');
    // The button is gone: the first control of its row has the focus.
    await page.locator('#assignments-1-summary:focus').waitFor();
    for (const key of ['Tab', 'Enter', 'Tab', '8', '0', 'Enter']) await page.keyboard.press(key);
    await page.locator('#results-1-summary').getByText('80').waitFor();
    await page.locator('#assignments-1-summary:focus').waitFor();
    expect(service.emulator.snapshot().results).toMatchObject([{ participant_id: 1, score: 80 }]);
  });

  longTest('rows that go, come and move are those of the page as it would load', async () => {
    await using service = await startFilled();
    await using opened = await open(service);
    const { page } = opened;
    await page.locator('#exams-unassign-1-1-send').focus();
    const shown = () => page.evaluate(() => [...document.querySelectorAll('main li')].map(({ id }) => id));
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
    await expect.poll(shown).toContain('assignments-4');
    // A row above it went, another came.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('exams-unassign-1-1-send');
    await service.emulator.settled();
    await expect
      .poll(async () => {
        const now = await shown();
        const fresh = await newPage();
        await fresh.goto(consoleUrl(service));
        const loaded = await fresh.evaluate(() =>
          [...document.querySelectorAll('main li')].map(({ id }) => id),
        );
        await fresh.close();
        return JSON.stringify(now) === JSON.stringify(loaded);
      })
      .toBe(true);
  });

  longTest(
    'a list on a narrow screen has five rows and leads to the others, with targets of 24 px',
    async () => {
      await using service = await startFilled();
      service.emulator.control.seedParticipants(8);
      await using opened = await open(service, { viewport: { width: 390, height: 800 } });
      const { page } = opened;
      await page.locator('#participants').getByText('1 of 3').waitFor();
      expect(await page.locator('#participants li').count()).toBe(5);
      await page.locator('#participants-older').click();
      await page.locator('#participants').getByText('2 of 3').waitFor();
      expect(await page.locator('#participants li').count()).toBe(5);
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
        [...document.querySelectorAll('html, section, li, dd')]
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
    await page.locator('#participants-5-summary').getByText('Came later').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSampleData } from '../../examples/browser/sample-data.ts';
import { hasBrowser, launchBrowser } from '../console/browser.ts';
import { findings } from '../helpers/axe.ts';
import { longTest } from '../helpers/long-test.ts';
import { apiKey, type Example, open as openPage, SAMPLE_END, startExample } from './helpers.ts';

/** The text that a part of the page says of itself. */
const said = (page: Page, part: string, text: string | RegExp) =>
  page.locator(`#${part} [role=status]`).getByText(text).waitFor();
/** How long to wait for something that takes several requests. */
const patience = { timeout: 60_000 };
const names = (page: Page) => page.locator('#results tbody th').allInnerTexts();

describe.skipIf(!hasBrowser)('the browser example in Chromium', () => {
  let launched: Awaited<ReturnType<typeof launchBrowser>>;
  let example: Example;
  beforeAll(async () => {
    example = await startExample();
    launched = await launchBrowser();
  });
  afterAll(async () => {
    await launched[Symbol.asyncDispose]();
    await example.close();
  });
  beforeEach(() => {
    example.emulator.reset();
    addSampleData(example.emulator.control, SAMPLE_END);
  });

  const open = (options?: Parameters<typeof openPage>[2]) => openPage(launched.browser, example.url, options);
  const fail = (status: number, headers: Record<string, string> = {}) =>
    example.emulator.faults.inject({ times: Infinity, effect: 'respond', status, headers });

  test('lists exams and results, and draws the scores of all results', async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await said(page, 'exams', '11 exams');
    await said(page, 'results', '400 results, page 1 of 40');
    await said(page, 'scores', '400 scores');
    expect(await page.locator('#exams li').count()).toBe(8);
    expect(await names(page)).toHaveLength(10);
    expect(await page.locator('#results tbody tr').first().locator('td').allInnerTexts()).toEqual([
      'Mathematics, second term',
      'Finished',
      '59.00',
      expect.stringMatching(/^Apr 1, 2026, \d+:00\s[AP]M$/),
    ]);
    expect(await page.getByRole('img').getAttribute('aria-label')).toContain('60 to 70: 120');
    expect(await page.locator('#scores dd').allInnerTexts()).toEqual(['67.18', '28.75', '100']);
    expect(problems).toEqual([]);
  });

  longTest('axe-core finds nothing at 1280 and 390 px, light and dark', async () => {
    await using opened = await open();
    const { page } = opened;
    await said(page, 'scores', '400 scores');
    expect(await findings(page)).toEqual([]);
  });

  longTest('filters by exam and by participant, and clears the filters', async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await page.getByRole('button', { name: 'Biology' }).click();
    await said(page, 'results', '40 results, page 1 of 4');
    await said(page, 'scores', '40 scores');
    await page.getByRole('heading', { name: 'Results: Biology' }).waitFor();
    expect(await page.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Biology\nBIO']);
    await page.getByLabel('Participant id').fill('50');
    await said(page, 'results', '1 result, page 1 of 1');
    expect(await names(page)).toEqual(['Jonas Iyer #50']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await said(page, 'results', '400 results');
    expect(await page.getByLabel('Participant id').inputValue()).toBe('');
    expect(await page.getByRole('button', { pressed: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  longTest('turns pages, by keyboard too, and keeps the focus on the button', async () => {
    await using opened = await open();
    const { page } = opened;
    const pages = page.getByRole('navigation', { name: 'Pages of results' });
    const next = pages.getByRole('button', { name: 'Next' });
    await page.getByLabel('Participant id').fill('50');
    await page.getByLabel('Rows').selectOption('5');
    await said(page, 'results', '6 results, page 1 of 2');
    const first = await names(page);
    expect(await pages.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true');
    await next.focus();
    await page.keyboard.press('Enter');
    await said(page, 'results', '6 results, page 2 of 2');
    expect(await names(page)).toHaveLength(1);
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    await pages.getByRole('button', { name: 'Previous' }).click();
    await said(page, 'results', 'page 1 of 2');
    expect(await names(page)).toEqual(first);
    await page
      .getByRole('navigation', { name: 'Pages of exams' })
      .getByRole('button', { name: 'Next' })
      .click();
    await page.getByRole('button', { name: 'Music theory' }).waitFor();
    expect(await page.locator('#exams li').count()).toBe(3);
  });

  longTest('gives up a request when another takes its place', async () => {
    await using opened = await open();
    const { page } = opened;
    await said(page, 'exams', '11 exams');
    await said(page, 'results', '400 results');
    await said(page, 'scores', '400 scores');
    const aborted: string[] = [];
    page.on('requestfailed', (request) => aborted.push(`${request.url()} ${request.failure()?.errorText}`));
    example.emulator.faults.inject({ on: 'examResults.list', times: 2, delay: 60_000 });
    await page.getByRole('button', { name: 'Physics' }).click();
    await said(page, 'results', 'Loading…');
    expect(await page.locator('#results').getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => example.emulator.faults.waiting.length, patience).toBe(0);
    await page.getByRole('button', { name: 'Biology' }).click();
    await said(page, 'results', '40 results');
    await said(page, 'scores', '40 scores');
    expect(aborted).toHaveLength(2);
    for (const request of aborted) expect(request).toMatch(/exam_id=7.* net::ERR_ABORTED$/);
    await page.getByRole('heading', { name: 'Results: Biology' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  longTest('says so where there is nothing to show', async () => {
    await using opened = await open();
    const { page } = opened;
    await page
      .getByRole('navigation', { name: 'Pages of exams' })
      .getByRole('button', { name: 'Next' })
      .click();
    await page.getByRole('button', { name: 'Music theory' }).click();
    await said(page, 'results', 'No results. Choose another exam or participant, or clear the filters.');
    await said(page, 'scores', 'There are no scores to show.');
    expect(await page.getByRole('img').count()).toBe(0);
    example.emulator.reset();
    await page.reload();
    await said(page, 'exams', 'There are no exams yet.');
  });

  longTest.each([
    [401, {}, 'The service has a problem', 'The exam service rejects the key of the proxy.'],
    [500, {}, 'The service has a problem', 'Try again later.'],
    [
      200,
      { 'Content-Type': 'text/html' },
      'This page cannot read the response',
      'check EXAM_SERVICE_BASE_URL',
    ],
  ])('says what to do after a %i', async (status, headers, title, hint) => {
    fail(status, headers);
    await using opened = await open();
    const alerts = opened.page.getByRole('alert');
    await expect.poll(() => alerts.count(), patience).toBe(3);
    for (const text of await alerts.allInnerTexts()) {
      expect(text).toContain(title);
      expect(text).toContain(hint);
    }
    expect(await opened.page.locator('#results table').isVisible()).toBe(false);
  });

  longTest('says how long to wait while the service asks for it', async () => {
    await using opened = await open();
    const { page } = opened;
    await said(page, 'scores', '400 scores');
    const headers = { 'Retry-After': '90' };
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, headers, json: {} }));
    await page.getByRole('button', { name: 'Biology' }).click();
    const alerts = page.getByRole('alert');
    await expect.poll(() => alerts.count(), patience).toBe(2);
    for (const text of await alerts.allInnerTexts()) {
      expect(text).toContain('Too many requests');
      expect(text).toMatch(/Try again in (90|89) seconds\./);
    }
  });

  longTest('asks a visitor to sign in, says what is wrong, and shows the person who is', async () => {
    await using opened = await open({ user: null });
    const { page } = opened;
    const form = page.locator('#sign-in');
    await form.getByLabel('Name').fill('jonas');
    await form.getByLabel('Password').fill('guess');
    await form.getByRole('button', { name: 'Sign in' }).click();
    await form.getByRole('alert').getByText('Wrong name or password.').waitFor();
    expect(await page.locator('.panels').isVisible()).toBe(false);
    expect(example.emulator.requests).toEqual([]);
    await form.getByLabel('Password').fill('jonas');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My results' }).waitFor();
    await said(page, 'results', '6 results, page 1 of 1');
    expect(new Set(await names(page))).toEqual(new Set(['Jonas Iyer #50']));
    expect(await page.getByLabel('Participant id').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await form.getByLabel('Name').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  longTest('a participant gets their own results alone, whatever their page asks for', async () => {
    await using opened = await open({ user: 'jonas' });
    const { page } = opened;
    await said(page, 'results', '6 results');
    const queries = [
      '',
      '?participant_id=1',
      '?participant_id=1&participant_id=2',
      '?participant_id=50&limit=100',
    ];
    const owners = await page.evaluate(async (asked) => {
      const responses = await Promise.all(asked.map((query) => fetch(`/api/v1/exam-results${query}`)));
      const bodies = await Promise.all(responses.map((response) => response.json()));
      return bodies.map(({ data }) => data.map((row: { participant: { id: number } }) => row.participant.id));
    }, queries);
    expect(owners).toEqual(Array(4).fill([50, 50, 50, 50, 50, 50]));
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  longTest('tries again when asked to, with the focus where the result appears', async () => {
    await using opened = await open();
    const { page } = opened;
    await said(page, 'results', '400 results');
    await said(page, 'scores', '400 scores');
    await page.context().setOffline(true);
    await page
      .getByRole('navigation', { name: 'Pages of results' })
      .getByRole('button', { name: 'Next' })
      .click();
    const alert = page.getByRole('alert');
    await alert.getByText('No connection').waitFor();
    await page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await said(page, 'results', '400 results, page 2 of 40');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('results');
    expect(await alert.count()).toBe(0);
  });

  test('never has the key: not in what it loads, sends or receives', async () => {
    await using opened = await open();
    const { page, requests } = opened;
    await said(page, 'exams', '11 exams');
    await said(page, 'results', '400 results');
    await said(page, 'scores', '400 scores');
    await page.getByRole('button', { name: 'Biology' }).click();
    await said(page, 'results', '40 results');
    await said(page, 'scores', '40 scores');
    expect(requests.filter((request) => request.resourceType() === 'fetch').length).toBeGreaterThan(4);
    for (const request of requests) {
      expect(request.url()).toMatch(new RegExp(`^(${example.url}|data:)`));
      const headers = await request.allHeaders();
      expect(Object.keys(headers)).not.toContain('x-client-key');
      expect(Object.keys(headers)).not.toContain('authorization');
      expect(JSON.stringify([request.url(), headers, request.postData()])).not.toContain(apiKey);
      // A request that the page gave up has no body to look at.
      const response = request.failure() === null ? await request.response() : null;
      if (response !== null) expect(await response.text()).not.toContain(apiKey);
    }
    for (const name of await readdir(example.folder, { recursive: true })) {
      if (!/\.(html|js|css|map)$/.test(name)) continue;
      const text = await readFile(join(example.folder, name), 'utf8');
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain('createEmulator');
    }
    expect(example.emulator.requests.every(({ headers }) => headers['x-client-key'] === apiKey)).toBe(true);
  });
});

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Service, startServer } from '../emulator/helpers.ts';
import { launchBrowser } from './browser.ts';

/** Address of the console of a service. */
export const consoleUrl = ({ url }: Service): string => `${new URL(url).origin}/`;

/** Some of everything, also what tries to be more than text. */
export const hostileName = '<img src=x onerror="document.title=1">';

/** An emulator with four participants, two exams, three assignments and two endpoints, the second one failing. */
export async function startFilled(): Promise<Service> {
  const service = await startServer({
    fetch: async (url) =>
      url.includes('failing')
        ? new Response('<b>queue full</b>', { status: 500 })
        : new Response(null, { status: 204 }),
  });
  const { control } = service.emulator;
  control.seedParticipants([
    { name: 'Ana Putri', email: 'ana@example.test', password: 'amber-birch-174' },
    { name: 'Kofi Eriksen', email: 'kofi@example.test', active: false },
    { name: hostileName, email: 'img@example.test', verified: false },
    { name: 'Mei Lin', email: 'mei@example.test' },
  ]);
  control.seedExams([
    { name: 'Mathematics', name_short: 'MATH-1' },
    { name: 'English', name_short: 'ENG-R' },
  ]);
  control.seedAssignments([
    { participant_id: 1, exam_id: 1 },
    { participant_id: 3, exam_id: 1 },
    { participant_id: 4, exam_id: 2 },
  ]);
  for (const path of ['hooks', 'failing']) {
    await service.call('POST', '/webhooks', {
      body: { url: `https://receiver.example.test/${path}`, events: ['exam_result.completed'] },
    });
  }
  return service;
}

/** Lets a participant take an exam, and waits for the deliveries that follow. */
export async function takeExam(service: Service, participant_id: number, exam_id: number): Promise<void> {
  service.emulator.control.startExam({ participant_id, exam_id });
  service.emulator.control.finishExam({ participant_id, exam_id, score: 72.5 });
  await service.emulator.settled();
}

/** The filled emulator after some use: exams, deliveries, faults and requests of every kind. */
export async function startBusy(): Promise<Service> {
  const service = await startFilled();
  const { control, faults } = service.emulator;
  await takeExam(service, 1, 1);
  control.startExam({ participant_id: 3, exam_id: 1 });
  control.seedResults([{ participant_id: 4, exam_id: 1, score: null }]);
  await service.clock.advance(10_000);
  const headers = { 'Retry-After': '5' };
  const body = { message: 'Out of order' };
  faults.inject({ on: 'exams.list', effect: 'respond', status: 503, body, headers, times: 3 });
  faults.inject({ on: 'participants.list', delay: 150 });
  faults.injectDelivery({ effect: 'duplicate' });
  await service.call('GET', '/exams?limit=2');
  await service.call('POST', '/exam-participants/assign', { body: { participant_id: 9, exam_id: 1 } });
  const person = { email: 'new@example.test', name: 'New Arrival', password: 'cedar-maple-221' };
  await service.call('POST', '/participants/import', { body: { participants: [person] } });
  await service.call('POST', '/participants/import', { body: '{"password":"cedar-maple-221"' });
  return service;
}

/** A page of the console, which has to run without a mistake. */
interface Opened extends AsyncDisposable {
  page: Page;
  problems: string[];
}

const wide: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

/** A Chromium for the tests of a group, which opens the console of a service. */
export function useConsole(): {
  newPage: () => Promise<Page>;
  open: (service: Service, options?: BrowserContextOptions) => Promise<Opened>;
} {
  let launched: Awaited<ReturnType<typeof launchBrowser>>;
  beforeAll(async () => {
    launched = await launchBrowser();
  });
  afterAll(() => launched[Symbol.asyncDispose]());
  return {
    newPage: () => launched.browser.newPage(),
    async open(service, options = wide) {
      const context = await launched.browser.newContext(options);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      const connected = page.waitForResponse((response) => response.url().endsWith('/console/events'));
      await page.goto(consoleUrl(service));
      await connected;
      return { page, problems, [Symbol.asyncDispose]: () => context.close() };
    },
  };
}

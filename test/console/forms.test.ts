import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../src/testing/control/serve.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { hasBrowser } from './browser.ts';
import { consoleUrl, startFilled, takeExam, useConsole } from './helpers.ts';

/** A filled emulator in which something happened: an exam in each state, and a fault. */
async function startUsed(): Promise<Service> {
  const service = await startFilled();
  await takeExam(service, 1, 1);
  service.emulator.control.startExam({ participant_id: 4, exam_id: 2 });
  service.emulator.faults.inject({ delay: 0 });
  return service;
}

/** What the forms can change, a line for each thing. */
function stateOf({ emulator, clock }: Service): string[] {
  const held = emulator.snapshot();
  const unless = (isSo: boolean, word: string) => (isSo ? '' : ` ${word}`);
  return [
    ...held.participants.map(
      ({ name, is_active, email_verified_at }) =>
        `person ${name}${unless(is_active, 'inactive')}${unless(email_verified_at !== null, 'unverified')}`,
    ),
    ...held.exams.map(({ name }) => `exam ${name}`),
    ...held.assignments.map(
      ({ participant_id, exam_id, started_at, finished_at }) =>
        `${participant_id} in ${exam_id}${unless(started_at === null, 'started')}${unless(finished_at === null, 'finished')}`,
    ),
    ...held.results.map(({ id, score }) => `result ${id} ${score}`),
    ...held.endpoints.map(
      ({ id, is_active, events }) => `endpoint ${id} ${events}${unless(is_active, 'inactive')}`,
    ),
    ...held.deliveries.map(
      ({ endpoint_id, event, attempts }) => `delivery ${endpoint_id} ${event} ${attempts}`,
    ),
    ...emulator.faults.waiting.map(({ fault, left }) => `fault ${left} ${JSON.stringify(fault)}`),
    ...Object.entries(emulator.settings).map(([name, value]) => `setting ${name} ${JSON.stringify(value)}`),
    `client${unless(emulator.control.isClientActive(), 'inactive')}`,
    `time ${clock.now()}`,
  ];
}

/** The lines that went, then those that came. */
function changes(before: readonly string[], after: readonly string[]): string[] {
  const left = [...after];
  const gone = before.filter(
    (line) => !left.includes(line) || left.splice(left.indexOf(line), 1).length === 0,
  );
  return [...gone.map((line) => `- ${line}`), ...left.map((line) => `+ ${line}`)];
}

const NOT_SENT = 'not sent';
/** All data but what is so. */
const CLEARED = 'cleared';

const other = createEmulator();
other.control.seedExams([{ name: 'Physics' }]);
const file = JSON.stringify(other.snapshot());

const completed = 'exam_result.completed';
const settings = {
  style: 'envelope',
  max_participants: '7',
  max_participants_per_exam: 'null',
  retry_delays: '[5]',
};
const fault = {
  effect: 'respond',
  on: 'exams.list',
  status: '429',
  times: 'null',
  headers: '{"A":"5"}',
  body: '{"b":1}',
};
const endpoint = { url: 'https://receiver.example.test/third', events: 'exam_result.scored' };
const finished = ['- 4 in 2 started', '+ 4 in 2 started finished'];
const announced = [`+ delivery 1 ${completed} 1`, `+ delivery 2 ${completed} 1`];

/** A form, what is filled in, and what it changes. */
const forms: readonly (readonly [path: string, fill: Record<string, string>, ...changed: string[]])[] = [
  ['/client', {}, '- client', '+ client inactive'],
  ['/settings', {}],
  [
    '/settings',
    settings,
    '- setting style "resource"',
    '- setting maxParticipants null',
    '- setting retryDelays [10000,60000,300000,1800000]',
    '+ setting style "envelope"',
    '+ setting maxParticipants 7',
    '+ setting retryDelays [5]',
  ],
  ['/clock/advance', {}, NOT_SENT],
  ['/clock/advance', { seconds: '5' }, '- time 1740790800000', '+ time 1740790805000'],
  ['/faults', {}],
  [
    '/faults',
    fault,
    '+ fault Infinity {"effect":"respond","on":"exams.list","status":429,"times":null,"body":{"b":1},"headers":{"A":"5"}}',
  ],
  [
    '/faults',
    { effect: 'respond', body: 'Later', processed: 'true' },
    '+ fault 1 {"effect":"respond","processed":true,"body":"Later"}',
  ],
  ['/faults/clear', {}, '- fault 1 {"delay":0}'],
  ['/seed', {}],
  ['/seed', { participants: '1', exams: '[{"name":"Physics"}]' }, '+ person Participant 5', '+ exam Physics'],
  ['/state', {}, NOT_SENT],
  ['/state', { file }, CLEARED, '+ exam Physics'],
  ['/reset', {}, CLEARED],
  ['/participants/create', {}, '+ person Participant 5'],
  ['/participants/create', { name: '007', verified: 'false' }, '+ person 007 unverified'],
  ['/participants/state', {}],
  [
    '/participants/state',
    { active: '', verified: 'false' },
    '- person Mei Lin',
    '+ person Mei Lin unverified',
  ],
  ['/exams/create', {}, '+ exam Exam 3'],
  ['/exams/create', { name: 'Physics' }, '+ exam Physics'],
  ['/exams/assign', {}],
  ['/exams/assign', { participant_id: '4', exam_id: '1' }, '+ 4 in 1'],
  ['/exams/start', {}, '- 3 in 1', '+ 3 in 1 started'],
  ['/exams/unassign', {}, '- 3 in 1'],
  ['/exams/finish', {}, ...finished, '+ result 2 null', ...announced],
  ['/exams/finish', { score: '91.5' }, ...finished, '+ result 2 91.5', ...announced],
  ['/results/rescore', {}],
  ['/results/rescore', { score: '75.25' }, '- result 1 72.5', '+ result 1 75.25'],
  ['/webhooks/create', {}, NOT_SENT],
  ['/webhooks/create', endpoint, '+ endpoint 3 exam_result.scored'],
  ['/webhooks/test', {}, `+ delivery 2 ${completed} 1`],
  ['/webhooks/test', { event: 'exam_result.scored' }, '+ delivery 2 exam_result.scored 1'],
  ['/webhooks/state', {}, `- endpoint 2 ${completed}`, `+ endpoint 2 ${completed} inactive`],
  ['/webhooks/delete', {}, `- endpoint 2 ${completed}`, `- delivery 2 ${completed} 1`],
  ['/deliveries/resend', {}, `- delivery 2 ${completed} 1`, `+ delivery 2 ${completed} 2`],
];

/** These have nothing to fill in; what loses data opens first all the same. */
const atOnce = [
  '/client',
  '/faults/clear',
  '/exams/start',
  '/exams/unassign',
  '/webhooks/state',
  '/deliveries/resend',
];

async function fillIn(form: Locator, name: string, value: string): Promise<void> {
  const field = form.locator(`[name="${name}"]`).first();
  const kind = await field.evaluate((element) => element.getAttribute('type') ?? element.tagName);
  if (kind === 'SELECT') await field.selectOption(value);
  else if (kind === 'checkbox') await form.locator(`[value="${value}"]`).check();
  else if (kind === 'file')
    await field.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(value) });
  else await field.fill(value);
}

describe.skipIf(!hasBrowser)('a form of the console, as it comes and filled in', () => {
  const { open, newPage } = useConsole();
  let page: Page | undefined;

  /** One page for all of them: a new one for each would take most of the time. */
  async function show(service: Service): Promise<Page> {
    page ??= await newPage();
    const connected = page.waitForResponse((response) => response.url().endsWith('/console/events'));
    await page.goto(consoleUrl(service));
    await connected;
    return page;
  }

  test('is there for every route', () => {
    const posts = controlRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(new Set(['/demo', ...forms.map(([path]) => path)])).toEqual(new Set(posts));
  });

  const rows = forms.map(([path, fill, ...changed]) => ({
    path,
    fields: Object.keys(fill).join(),
    fill,
    changed,
  }));

  test.each(rows)(
    '$path with "$fields" changes what it says, and nothing else',
    async ({ path, fill, changed }) => {
      await using service = await startUsed();
      const page = await show(service);
      const form = page.locator(`form[action="/__emulator${path}"]`).first();
      const before = stateOf(service);
      expect(await form.isVisible()).toBe(atOnce.includes(path));
      if (!atOnce.includes(path))
        await page.locator('details.opening', { has: form }).locator('summary').first().click();
      for (const [name, value] of Object.entries(fill)) await fillIn(form, name, value);
      if (changed[0] === NOT_SENT) {
        expect(await form.evaluate((element) => (element as HTMLFormElement).checkValidity())).toBe(false);
        return;
      }
      const responded = page.waitForResponse((response) => response.url().endsWith(path));
      await form.locator('button').click();
      await responded;
      await service.emulator.settled();
      const found = changes(before, stateOf(service));
      const data = before.filter((line) => !/^(setting|client|time)/.test(line)).map((line) => `- ${line}`);
      expect(found).toEqual(changed.flatMap((line) => (line === CLEARED ? data : [line])));
    },
  );

  test('/demo fills an empty emulator', async () => {
    await using service = await startServer();
    await using opened = await open(service);
    await opened.page.getByRole('button', { name: 'Load sample data' }).click();
    await opened.page.locator('#participants-6').waitFor();
    expect(opened.problems).toEqual([]);
  });
});

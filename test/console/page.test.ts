import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { consoleUrl, hostileName, startBusy, startFilled } from './helpers.ts';

async function read(service: Service, path = ''): Promise<string> {
  return (await fetch(consoleUrl(service) + path)).text();
}

/** The part of a page that has this id. */
function part(page: string, id: string): string {
  const start = page.indexOf(`<section id="${id}"`);
  return page.slice(start, page.indexOf('</section>', start));
}

/** What a reader sees of a record: its line, and what it opens to. */
function record(page: string, id: string): { line: string; opened: string; offered: string[] } {
  const start = page.indexOf(`<li id="${id}"`);
  const item = page.slice(start, page.indexOf('</li>', start));
  const [line = '', opened = ''] = item.split('</summary>');
  const offered = [...item.matchAll(/ action="\/__emulator([^"]*)"/g)].map(([, path = '']) => path);
  return { line: textOf(line), opened: textOf(opened.split('</dl>')[0] ?? ''), offered };
}

function textOf(markup: string): string {
  const text = markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<');
  return text.replaceAll('&gt;', '>').replaceAll(/\s+/g, ' ').trim();
}

/** Sends a form as the page does. */
function send(
  service: Service,
  action: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { Origin: new URL(service.url).origin, Accept: 'text/plain' },
): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(`${consoleUrl(service)}__emulator/${action}`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  });
}

describe('what the page shows', () => {
  test.each([
    ['participants-1', 'Ana Putri #1 ana@ example.test', 'Password hidden'],
    ['participants-2', 'Kofi Eriksen #2 kofi@ example.test inactive', 'Is active false'],
    ['participants-3', `${hostileName} #3 img@ example.test email not verified`, 'Email verified none'],
    ['exams-1', 'Mathematics #1 MATH-1 3 participants', 'Quiz name Mathematics, quiz'],
    ['assignments-1', 'Ana Putri #1 Mathematics #1 finished 08:00:00', 'Token hidden'],
    ['assignments-2', `${hostileName} #3 Mathematics #1 started 08:00:00`, 'Exam Mathematics #1'],
    ['assignments-3', 'Mei Lin #4 English #2 assigned', 'Finished none'],
    ['results-1', 'Ana Putri #1 Mathematics #1 72.5 Finished 08:00:00', 'Status 2'],
    ['results-2', 'Mei Lin #4 Mathematics #1 no score Finished 08:00:00', 'Score none'],
    ['endpoints-1', 'https://receiver.example.test/hooks #1 exam_result.completed', 'Secret hidden'],
    [
      'endpoints-2',
      'https://receiver.example.test/failing #2 2 failed in a row exam_result.completed',
      'Last failure 08:00:10',
    ],
    ['faults-0', 'respond 503 exams.list 2 left, struck 1', '"Retry-After": "5"'],
    ['faults-1', 'delay participants.list 150 ms late 1 left, struck 0', 'Delay 150'],
    ['faults-2', 'duplicate everywhere 1 left, struck 0', 'Effect duplicate'],
    ['requests-3', '503 GET /api/v1/exams?limit=2 fault 08:00:10', '"message": "Out of order"'],
    [
      'requests-4',
      '404 POST /api/v1/exam-participants/assign participant 9, exam 1 08:00:10',
      '"exam_id": 1',
    ],
    ['requests-5', '201 POST /api/v1/participants/import 1 participant 08:00:10', '"password": "hidden"'],
    [
      'requests-6',
      '400 POST /api/v1/participants/import 08:00:10',
      'Not shown: it is not complete JSON and may contain a password.',
    ],
  ])('of %s the line %j, which opens to all its fields', async (id, line, field) => {
    await using service = await startBusy();
    const shown = record(await read(service), id);
    expect(shown.line).toBe(line);
    expect(shown.opened).toContain(field);
  });

  test('the routes that take exactly the ids of a record, and of an exam the next steps', async () => {
    await using service = await startBusy();
    const page = await read(service);
    const [delivery] = service.emulator.snapshot().deliveries;
    const offered = {
      'participants-1': ['/participants/state'],
      'exams-1': [],
      'assignments-1': [],
      'assignments-2': ['/exams/finish'],
      'assignments-3': ['/exams/start', '/exams/unassign'],
      'results-1': ['/results/rescore'],
      'endpoints-1': ['/webhooks/test', '/webhooks/state', '/webhooks/delete'],
      [`deliveries-${delivery?.id}`]: ['/deliveries/resend'],
      'requests-3': [],
    };
    for (const [id, paths] of Object.entries(offered)) expect(record(page, id).offered, id).toEqual(paths);
  });

  test('why a delivery failed, and what was sent', async () => {
    await using service = await startBusy();
    const [first, second] = service.emulator.snapshot().deliveries;
    const page = await read(service);
    expect(record(page, `deliveries-${first?.id}`).line).toBe(
      'delivered exam_result.completed Ana Putri, Mathematics to #1 08:00:00',
    );
    const { line, opened } = record(page, `deliveries-${second?.id}`);
    expect(line).toBe(
      'pending exam_result.completed Ana Putri, Mathematics to #2 The receiver responded with status 500. 08:00:00 2 attempts',
    );
    expect(opened).toMatch(/"attempt": 2, "signature": "t=1740790810,v1=[0-9a-f]{64}"/);
    expect(opened).toContain('"sent_at": "2025-03-01T08:00:10+07:00"');
    expect(opened).toContain('<b>queue full</b>');
    expect(opened).toContain('"exam_result_id": 1');
  });

  test('no password, no key and no secret, and everything that comes from data as text', async () => {
    await using service = await startBusy();
    const page = await read(service);
    expect(page).not.toMatch(/amber-birch-174|cedar-maple-221|whsec_|test-key/);
    for (const { token } of service.emulator.snapshot().assignments) expect(page).not.toContain(token);
    expect(page).not.toMatch(/<img|<b>queue full/);
  });

  test("times in the service's zone, with its name, and the day where it is not today", async () => {
    await using service = await startBusy();
    expect(await read(service)).toContain('Times in UTC+07:00');
    service.emulator.control.configure({ utcOffset: -210 });
    await service.clock.advance(24 * 3600 * 1000);
    const later = await read(service);
    expect(later).toContain('Times in UTC-03:30');
    expect(record(later, 'results-1').line).toContain('Finished 2025-02-28 21:30:00');
  });

  test('in each heading how many there are, also where a page shows fewer', async () => {
    await using service = await startFilled();
    const { control } = service.emulator;
    control.seedParticipants(1_230);
    control.seedExams(9);
    const taken = Array.from({ length: 12 }, (_, index) => ({ participant_id: 10 + index, exam_id: 1 }));
    control.seedAssignments(taken);
    control.seedAssignments(taken.map((pair) => ({ ...pair, exam_id: 2 })));
    for (const pair of taken) control.startExam(pair);
    for (const pair of taken) control.finishExam(pair);
    for (let count = 0; count < 14; count += 1) await service.call('GET', '/exams');
    await service.emulator.settled();
    const page = await read(service);
    const counts = [...page.matchAll(/<h2 id="(\w+)-title">[^<]*<span>([\d,]+)<\/span>/g)];
    expect(Object.fromEntries(counts.map(([, name, count]) => [name, count]))).toEqual({
      assignments: '27',
      results: '12',
      participants: '1,234',
      exams: '11',
      endpoints: '2',
      deliveries: '24',
      requests: '16',
      faults: '0',
    });
    const rows = ['assignments', 'results', 'participants', 'exams', 'deliveries', 'requests'].map(
      (name) => part(page, name).split('<li id').length - 1,
    );
    expect(rows).toEqual([10, 10, 10, 10, 10, 10]);
  });

  test('a choice by name of a hundred participants, and by number of more', async () => {
    await using service = await startFilled();
    service.emulator.control.seedParticipants(96);
    expect(part(await read(service), 'assignments')).toMatch(
      /<option value="100"[^>]*>Participant 100 #100</,
    );
    service.emulator.control.seedParticipants(1);
    expect(part(await read(service), 'assignments')).toMatch(/<input id="exams-assign-participant_id"/);
  });

  test('in each form what is so', async () => {
    await using service = await startFilled();
    const page = await read(service);
    const shown = [...page.matchAll(/<select id="([\w-]+)"[^>]*>(.*?)<\/select>/gs)].map(
      ([, id, options = '']) => [id, /<option value="(\w*)" selected>/.exec(options)?.[1]],
    );
    expect(Object.fromEntries(shown)).toMatchObject({
      'participants-state-2-active': 'false',
      'participants-state-3-verified': 'false',
      'participants-state-4-verified': 'true',
      'settings-style': 'resource',
    });
    expect(page).toMatch(/<input id="settings-max_participants" [^>]*value="null"/);
  });

  test('no clock to move where it cannot be moved', async () => {
    const clock = { now: () => 0, schedule: () => () => {} };
    await using server = await createEmulator({ clock }).listen();
    expect(await (await fetch(new URL('/', server.url))).text()).not.toContain('Move the clock');
  });

  test('long lists in pages, the newest first', async () => {
    await using service = await startFilled();
    service.emulator.control.seedParticipants(21);
    const first = part(await read(service), 'participants');
    expect(first).toContain('Participant 25');
    expect(first).not.toContain('Participant 15');
    expect(first).toContain('1 of 3');
    expect(first).toContain('href="/?participants=2#participants"');
    expect(part(await read(service, '?participants=2'), 'participants')).toContain('Participant 15');
    for (const [page, shown] of [
      ['99', '3'],
      ['-1', '1'],
      ['x', '1'],
    ])
      expect(part(await read(service, `?participants=${page}`), 'participants')).toContain(`${shown} of 3`);
  });

  test('words for what is not there yet', async () => {
    await using server = await createEmulator().listen();
    const page = await (await fetch(new URL('/', server.url))).text();
    expect(page.match(/None yet\./g)).toHaveLength(7);
    expect(page).toContain('None is waiting.');
  });
});

describe('what the forms do', () => {
  test('fill an empty emulator, and begin anew', async () => {
    await using service = await startServer();
    expect(await read(service)).toContain('No data yet');
    expect((await send(service, 'demo', {})).status).toBe(200);
    expect(service.emulator.snapshot().participants).toHaveLength(6);
    expect(await read(service)).not.toContain('No data yet');
    const twice = await send(service, 'demo', {});
    expect(await twice.text()).toContain('The sample data needs an empty emulator: reset it first.');
    expect((await send(service, 'reset', {})).status).toBe(200);
    expect(await read(service)).toContain('No data yet');
  });

  test('work without script, which leads back to the page', async () => {
    await using service = await startFilled();
    const headers = { Origin: new URL(service.url).origin, Accept: 'text/html' };
    const response = await send(service, 'exams/start', { participant_id: '1', exam_id: '1' }, headers);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
  });
});

describe('who may use it', () => {
  test('no other page can frame it, no script but its own runs, and nothing is kept', async () => {
    await using service = await startFilled();
    const { headers } = await fetch(consoleUrl(service));
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('changes are reported as they happen, a burst of them once', async () => {
  await using service = await startFilled();
  const abort = new AbortController();
  const response = await fetch(`${consoleUrl(service)}console/events`, { signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n');
  service.emulator.control.seedParticipants(50);
  expect((await reader?.read())?.value).toBe('data: changed\n\n');
  abort.abort();
});

import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../src/testing/control/serve.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { consoleUrl, hostileName, startFilled, takeExam } from './helpers.ts';

async function read(service: Service, path = ''): Promise<string> {
  return (await fetch(consoleUrl(service) + path)).text();
}

/** The part of a page that has this id. */
function part(page: string, id: string): string {
  const start = page.indexOf(`<section id="${id}"`);
  return page.slice(start, page.indexOf('</section>', start));
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
  test('participants with their state, and never a password', async () => {
    await using service = await startFilled();
    const page = await read(service);
    expect(part(page, 'participants')).toContain('ana@<wbr>example.test');
    expect(part(page, 'participants')).toContain('inactive');
    expect(part(page, 'participants')).toContain('email not verified');
    expect(page).not.toContain('amber-birch-174');
  });

  test('assignments by state, exams and results', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    service.emulator.control.startExam({ participant_id: 4, exam_id: 2 });
    const page = await read(service);
    for (const state of ['assigned', 'started', 'finished'])
      expect(part(page, 'assignments')).toContain(`>${state}<`);
    expect(part(page, 'results')).toContain('72.5');
    expect(part(page, 'exams')).toContain('Mathematics');
  });

  test('deliveries with payload, signature header, response and every attempt', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    await service.clock.advance(10_000);
    const deliveries = part(await read(service), 'deliveries');
    expect(deliveries).toMatch(/X-Cbt-Signature: t=1740790800,v1=[0-9a-f]{64}/);
    expect(deliveries).toContain('Attempt 2');
    expect(deliveries).toContain('The receiver responded with status 500.');
    expect(deliveries).toContain('&quot;exam_result_id&quot;: 1');
    expect(part(await read(service), 'endpoints')).toContain('2 failed in a row');
  });

  test('no signing secret', async () => {
    await using service = await startFilled();
    expect(await read(service)).not.toContain('whsec_');
  });

  test('requests with their query, fault and response, and their body without passwords', async () => {
    await using service = await startFilled();
    const ana = { email: 'new@example.test', name: 'New Arrival', password: 'cedar-maple-221' };
    await service.call('POST', '/participants/import?dry=1', { body: { participants: [ana] } });
    await service.call('POST', '/participants/import', { body: '{"password":"cedar-maple-221"' });
    service.emulator.faults.inject({
      effect: 'respond',
      status: 503,
      body: { message: 'Out of order' },
    });
    await service.call('GET', '/exams');
    const page = await read(service);
    const requests = part(page, 'requests').replaceAll('&quot;', '"');
    expect(requests).toMatch(
      /POST \/api\/v1\/participants\/import\?dry=1<\/code>\s*<span class="quiet">1 participant, </,
    );
    expect(requests).toContain('"dry": "1"');
    expect(requests).toContain('"name": "New Arrival"');
    expect(requests).toContain('"password": "hidden"');
    expect(requests).toContain('Not shown: it is not complete JSON and may contain a password.');
    expect(requests).toMatch(/<dt>Fault<\/dt>\s*<dd>Status 503<\/dd>/);
    expect(requests).toContain('"message": "Out of order"');
    expect(page).not.toContain('cedar-maple-221');
  });

  test("times in the service's zone, with its name, and the day where it is not today", async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    const page = await read(service);
    expect(page).toContain('Times in UTC+07:00');
    expect(part(page, 'results')).toContain('<time datetime="2025-03-01T08:00:00+07:00">08:00:00</time>');
    service.emulator.control.configure({ utcOffset: -210 });
    await service.clock.advance(24 * 3600 * 1000);
    const later = await read(service);
    expect(later).toContain('Times in UTC-03:30');
    expect(part(later, 'results')).toContain('>2025-02-28 21:30:00</time>');
  });

  test('when an exam was finished beside its state, under no heading that promises a next step', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    const assignments = part(await read(service), 'assignments');
    expect(assignments).toMatch(/>finished<\/span>\s*<time/);
    expect(assignments).not.toContain('Next');
  });

  test('everything that comes from data as text', async () => {
    await using service = await startFilled();
    await takeExam(service, 3, 1);
    const page = await read(service);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<b>queue full');
    expect(part(page, 'participants')).toContain(
      hostileName.replace('<', '&lt;').replaceAll('"', '&quot;').replace('>', '&gt;'),
    );
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
    });
    const rows = ['assignments', 'results', 'participants', 'exams', 'deliveries', 'requests'].map(
      (name) => part(page, name).split(/<tr id|<li id/).length - 1,
    );
    expect(rows).toEqual([10, 10, 10, 10, 10, 10]);
  });

  test('a form for everything that the control interface does', async () => {
    await using service = await startFilled();
    await takeExam(service, 1, 1);
    service.emulator.control.startExam({ participant_id: 4, exam_id: 2 });
    service.emulator.faults.inject({ delay: 0 });
    await using empty = await startServer();
    const pages = (await read(service)) + (await read(empty));
    const actions = controlRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const missing = actions.filter((path) => !pages.includes(`action="/__emulator${path}"`));
    expect(missing).toEqual([]);
  });

  test('a choice by name of a hundred participants, and by number of more', async () => {
    await using service = await startFilled();
    service.emulator.control.seedParticipants(96);
    expect(part(await read(service), 'assignments')).toMatch(
      /<option value="100"[^>]*>Participant 100 #100</,
    );
    service.emulator.control.seedParticipants(1);
    const assignments = part(await read(service), 'assignments');
    expect(assignments).not.toContain('Participant 100 #100');
    expect(assignments).toContain('id="assign-participant-number"');
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
    expect(page).toContain('None is switched on.');
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
  test.each(['https://hostile.example.test', 'http://127.0.0.1:1', 'null', undefined])(
    'a page of origin %s can change nothing',
    async (origin) => {
      await using service = await startFilled();
      const headers = origin === undefined ? {} : { Origin: origin };
      const pair = { participant_id: '1', exam_id: '1' };
      const responses = [
        await send(service, 'exams/start', pair, headers),
        await send(service, 'faults', { effect: 'reset', on: '', times: '1' }, headers),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 403]);
      expect(service.emulator.control.assignment({ participant_id: 1, exam_id: 1 })?.started_at).toBeNull();
      expect(service.emulator.faults.waiting).toEqual([]);
    },
  );

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

import { describe, expect, test, vi } from 'vitest';
import { createProxy } from '../../examples/browser/proxy.ts';
import { addSampleData } from '../../examples/browser/sample-data.ts';
import { operations } from '../../src/proxy/operations.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { everything } from '../proxy/helpers.ts';
import { apiKey, SAMPLE_END } from './helpers.ts';

/** The participant who signs in as `jonas`. */
const JONAS = 50;

/** The server of the example in front of an emulator, called as a function. */
async function startProxied() {
  const emulator = createEmulator({ apiKey });
  addSampleData(emulator.control, SAMPLE_END);
  const server = await emulator.listen();
  const app = createProxy({ baseUrl: server.url, apiKey });
  const signIn = async (user: string, password = user) => {
    const response = await app.request('/session', {
      method: 'POST',
      body: JSON.stringify({ user, password }),
    });
    return { response, cookie: String(response.headers.get('set-cookie')).split(';')[0] ?? '' };
  };
  return {
    emulator,
    signIn,
    call: async (path: string, cookie = '', init: RequestInit = {}) =>
      app.request(`/api/v1${path}`, { ...init, headers: { ...init.headers, cookie } }),
    session: async (cookie: string, init: RequestInit = {}) =>
      app.request('/session', { ...init, headers: { ...init.headers, cookie } }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const ownersOf = async (response: Response) =>
  new Set(
    (await response.json()).data.map(({ participant }: { participant: { id: number } }) => participant.id),
  );

describe('the server of the browser example', () => {
  test('lets a teacher see all results, and those of one participant', async () => {
    await using proxied = await startProxied();
    const { cookie } = await proxied.signIn('teacher');
    expect((await ownersOf(await proxied.call('/exam-results?limit=100', cookie))).size).toBeGreaterThan(20);
    expect(await ownersOf(await proxied.call('/exam-results?participant_id=7', cookie))).toEqual(
      new Set([7]),
    );
  });

  test.each([
    '',
    '?limit=100',
    '?participant_id=1',
    '?participant_id=1&participant_id=2',
    '?participant_id=50&participant_id=1',
    '?participant_id=1&exam_id=1',
    '?page=1&participant_id=1',
    '?p%61rticipant_id=1',
  ])('lets a participant see their own results alone: /exam-results%s', async (query) => {
    await using proxied = await startProxied();
    const { cookie } = await proxied.signIn('jonas');
    const owners = await ownersOf(await proxied.call(`/exam-results${query}`, cookie));
    expect([[], [JONAS]]).toContainEqual([...owners]);
    expect(proxied.emulator.requests.map((request) => Object(request.query)['participant_id'])).toEqual([
      String(JONAS),
    ]);
  });

  test.each(everything.filter((id) => !['exams.list', 'exams.retrieve', 'examResults.list'].includes(id)))(
    'lets nobody use %s',
    async (id) => {
      await using proxied = await startProxied();
      const { cookie } = await proxied.signIn('teacher');
      const [method = '', path = ''] = operations[id].route.replace('{id}', '1').split(' ');
      expect((await proxied.call(path, cookie, { method })).status).toBe(403);
      expect(proxied.emulator.requests).toEqual([]);
    },
  );

  test('lets nobody in without a session, or with one that was made up, altered or has ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using proxied = await startProxied();
    const { cookie } = await proxied.signIn('jonas');
    expect((await proxied.call('/exams', cookie)).status).toBe(200);
    const cookies = [
      '',
      'session=',
      'session=teacher.99999999999.',
      cookie.replace('jonas', 'teacher'),
      cookie.replace(/.$/, ''),
    ];
    for (const made of cookies) expect((await proxied.call('/exam-results', made)).status).toBe(401);
    vi.advanceTimersByTime(3_600_001 + 1_000);
    expect((await proxied.call('/exam-results', cookie)).status).toBe(401);
    vi.useRealTimers();
    expect(proxied.emulator.requests).toHaveLength(1);
  });

  test('signs in with name and password, says who is signed in, and signs out', async () => {
    await using proxied = await startProxied();
    const { response, cookie } = await proxied.signIn('jonas');
    expect(await response.json()).toEqual({ name: 'Jonas Iyer', role: 'participant' });
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Path=\/; Max-Age=3600$/);
    expect(await (await proxied.session(cookie)).json()).toEqual({ name: 'Jonas Iyer', role: 'participant' });
    expect(await (await proxied.session('')).json()).toBeNull();
    expect((await proxied.session(cookie, { method: 'DELETE' })).headers.get('set-cookie')).toContain(
      'Max-Age=0',
    );
    for (const [user, password] of [
      ['jonas', 'guess'],
      ['nobody', ''],
      ['toString', 'x'],
    ] as const) {
      expect((await proxied.signIn(user, password)).response.status).toBe(401);
    }
    const foreign = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await proxied.session('', foreign)).status).toBe(403);
  });
});

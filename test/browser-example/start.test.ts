import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('one command serves the page, with an emulator where the environment names no service', async () => {
  const { EXAM_SERVICE_BASE_URL: _url, EXAM_SERVICE_API_KEY: _key, ...inherited } = process.env;
  const started = spawn(process.execPath, ['examples/browser/start.ts'], {
    cwd: root,
    env: { ...inherited, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let page = '';
    for await (const line of createInterface({ input: started.stdout })) {
      page = /^Page: +(http:\S+)$/.exec(line)?.[1] ?? '';
      if (page !== '') break;
    }
    expect(await (await fetch(page)).text()).toContain('<h1>Exam results</h1>');
    const exams = new URL('/api/v1/exams?limit=100', page);
    expect((await fetch(exams)).status).toBe(401);
    const body = JSON.stringify({ user: 'teacher', password: 'teacher' });
    const signedIn = await fetch(new URL('/session', page), { method: 'POST', body });
    const headers = { Cookie: String(signedIn.headers.get('set-cookie')).split(';')[0] ?? '' };
    expect((await (await fetch(exams, { headers })).json()).data).toHaveLength(11);
  } finally {
    started.kill();
    await once(started, 'exit');
  }
});

import { afterEach, expect, test, vi } from 'vitest';
import { createClient, nowhere } from '../helpers/client.ts';

afterEach(() => {
  vi.resetModules();
});

test.each([
  ['as by node:test', false],
  ['from before the package was loaded until the job, as by Jest with "fakeTimers"', true],
])('a job ends also where timers are replaced and no clock, %s', async (_way, isLoadedMeanwhile) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 60));
  let create = createClient;
  if (isLoadedMeanwhile) {
    vi.resetModules();
    ({ createClient: create } = await import('../helpers/client.ts'));
    vi.useRealTimers();
  }
  const fetch = async () => Response.json({ success: true }, { status: 201 });
  const client = create(nowhere, { fetch });
  const rows = [1, 2, 3].map((id) => ({ email: `${id}@h.test`, name: 'n', password: 'pw-12345' }));
  expect(await client.participants.importAll(rows)).toMatchObject({ imported: 3 });
  const pairs = [1, 2, 3].map((participant_id) => ({ participant_id, exam_id: 1 }));
  expect(await client.examParticipants.assignAll(pairs)).toMatchObject({ assigned: 3 });
});

import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../src/webhooks/index.ts';
import { type ClientService, manners, startClientService } from './client-service.ts';
import { pair, seedPair } from './helpers.ts';

/** Every operation of the client against the emulator, in every style in which it responds. */

const people = Array.from({ length: 23 }, (_, index) => ({
  email: `person${index + 1}@example.test`,
  name: `Person ${index + 1}`,
  password: `password-${index + 1}`,
}));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const hook = { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed' as const] };

describe.each(manners)('the client with responses in the style $style, $way', ({ style, way }) => {
  const start = (): Promise<ClientService> => startClientService(way, { style });

  test('participants are imported, listed over all pages, read and changed', async () => {
    await using service = await start();
    const { client } = service;
    expect(await client.participants.import(people)).toHaveProperty('data');
    const all = await client.participants.list({ limit: 10 }).toArray({ maxItems: 100 });
    expect(all.map(({ id }) => id)).toEqual(upTo(23));
    expect(await client.participants.retrieve(7)).toMatchObject({ id: 7, email: 'person7@example.test' });
    await client.participants.update(7, { name: 'Renamed' });
    expect(await client.participants.retrieve(7)).toMatchObject({ id: 7, name: 'Renamed' });
    await client.participants.import([{ email: 'person7@example.test', name: 'Again', password: 'secret' }]);
    expect(await client.participants.retrieve(7)).toMatchObject({ id: 7, name: 'Again' });
  });

  test('a participant is assigned, gets a link and is unassigned', async () => {
    await using service = await start();
    seedPair(service);
    const { client } = service;
    expect(await client.examParticipants.assign(pair)).toHaveProperty('message');
    const { url } = await client.examParticipants.link(pair);
    expect(url).toMatch(/^https:\/\/exam\.example\.test\/take\/[0-9a-f-]{36}$/);
    expect(await client.examParticipants.unassign(pair)).toHaveProperty('message');
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  });

  test('exams are listed page by page, item by item, and read', async () => {
    await using service = await start();
    service.emulator.control.seedExams(23);
    const { client } = service;
    const page = await client.exams.list({ page: 2, limit: 10 });
    expect(page.data.map(({ id }) => id)).toEqual(upTo(20).slice(10));
    expect(page).toMatchObject({ page: 2, perPage: 10, total: style === 'bare' ? null : 23 });
    expect((await page.nextPage())?.data.map(({ id }) => id)).toEqual([21, 22, 23]);
    const seen: number[] = [];
    for await (const { id } of client.exams.list({ limit: 7 })) seen.push(id);
    expect(seen).toEqual(upTo(23));
    expect(await client.exams.list({ page: 9 })).toMatchObject({ data: [] });
    expect(await client.exams.retrieve(3)).toMatchObject({ id: 3, name: 'Exam 3' });
  });

  test('results are filtered and paged', async () => {
    await using service = await start();
    const { control } = service.emulator;
    control.seedParticipants(12);
    control.seedExams(2);
    const seeds = upTo(12).flatMap((participant_id) =>
      [1, 2].map((exam_id) => ({ participant_id, exam_id, score: 60 + participant_id + exam_id / 2 })),
    );
    control.seedResults(seeds);
    const { client } = service;
    const scores = async (query: { participant_id?: number; exam_id?: number }) =>
      (await client.examResults.list({ ...query, limit: 5 }).toArray({ maxItems: 100 })).map(({ score }) =>
        Number(score),
      );
    // The newest first.
    expect(await scores({})).toEqual(seeds.map(({ score }) => score).toReversed());
    expect(await scores({ exam_id: 2 })).toEqual(
      upTo(12)
        .map((id) => 61 + id)
        .toReversed(),
    );
    expect(await scores({ participant_id: 4, exam_id: 1 })).toEqual([64.5]);
    expect(await scores({ participant_id: 99 })).toEqual([]);
  });

  test('webhook endpoints are created, listed, changed, tested, read back and deleted', async () => {
    await using service = await start();
    const { client, emulator, receiver } = service;
    const { id, secret } = await client.webhooks.create({ ...hook, description: 'Results' });
    expect(await client.webhooks.list()).toMatchObject([{ id, description: 'Results', is_active: true }]);
    expect(Object.keys(await client.webhooks.availableEvents())).toContain('exam_result.scored');
    expect(await client.webhooks.update(id, { description: null })).toMatchObject({ description: null });
    const rotated = await client.webhooks.rotateSecret(id);
    expect(rotated.secret).not.toBe(secret);
    for (let count = 0; count < 5; count += 1) {
      expect(await client.webhooks.test(id)).toEqual({ queued: true });
    }
    await emulator.settled();
    const deliveries = await client.webhooks
      .deliveries(id, { per_page: 2, status: 'delivered', event: 'exam_result.completed' })
      .toArray({ maxItems: 100 });
    expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(5);
    const [received] = receiver.received;
    const event = await verifyWebhook(
      { body: received?.body ?? '', headers: received?.headers ?? {} },
      { secret: rotated.secret, now: service.clock.now },
    );
    expect(event).toMatchObject({ event: 'exam_result.completed', data: { score: 87.5 } });
    expect(await client.webhooks.delete(id)).toBeUndefined();
    expect(await client.webhooks.list()).toEqual([]);
  });
});

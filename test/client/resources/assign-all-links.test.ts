import { describe, expect, test } from 'vitest';
import { skipWaits } from '../../helpers/fake-time.ts';
import { pairs, run } from './assign-helpers.ts';
import { type Down, startDown } from './outage-helpers.ts';

skipWaits();

const decided = [
  ['a 400', () => Response.json({ message: 'No.' }, { status: 400 })],
  ['a 404', () => Response.json({ message: 'No.' }, { status: 404 })],
  ['a 409', () => Response.json({ message: 'No.' }, { status: 409 })],
  ['a 422', () => Response.json({ message: 'No.' }, { status: 422 })],
  ['a success without a link', () => Response.json({ message: 'Here it is.' })],
  ['a success that says no', () => Response.json({ success: false, message: 'No.' })],
] as const;

describe('the link of a pair', () => {
  test.each(decided)('is decided by %s: the pair is assigned, without it', async (_, respond) => {
    const { client } = startDown(({ isLink, people }) => (isLink && people[0] === 3 ? respond() : undefined));
    const { results, summary, error } = await run(client, pairs(8), { link: true });
    expect(error).toBeUndefined();
    expect(summary).toMatchObject({ assigned: 8, withoutLink: 1, failed: 0 });
    expect(results[3]).toMatchObject({ status: 'assigned', url: null, linkError: { outcome: 'done' } });
  });

  test.each<[down: Down, canHelp: boolean]>([
    ['a refused connection', true],
    ['an unknown host', true],
    ['a certificate that is out of date', false],
    ["a gateway's page with 403", true],
    ['a redirect', true],
    ['425', true],
    ['429', true],
    ['401', false],
    ['403', false],
  ])(
    'stops the job at its pair with %s, which a further run goes on with: retryable %s',
    async (down, canHelp) => {
      let isUp = false;
      const service = startDown(({ isLink, people: [id = 0] }) => {
        if (isLink) return id < 3 || isUp ? undefined : down;
        return service.held.has(id) ? Response.json({}, { status: 400 }) : undefined;
      });
      const { results, error } = await run(service.client, pairs(8), { link: true, concurrency: 1 });
      expect(results.map(({ url }) => url)).toEqual([0, 1, 2].map((id) => `https://exam.test/${id}`));
      expect(error).toMatchObject({ resumeFrom: 3, outcome: 'unknown', retryable: canHelp });
      expect(error?.summary).toMatchObject({ assigned: 3, withoutLink: 0 });
      isUp = true;
      await new Promise((resolve) => setTimeout(resolve, 200_000));
      const rest = await run(service.client, pairs(8), { link: true, resumeFrom: 3 });
      expect(rest.results.map(({ url }) => url)).toEqual(
        [3, 4, 5, 6, 7].map((id) => `https://exam.test/${id}`),
      );
    },
  );

  test.each<Down>(['500', '503', '504', 'a lost connection', 'a page of a success', 'a success that is cut'])(
    'is asked for again after %s and another accepted pair, and the pair keeps its 201',
    async (down) => {
      let failures = 1;
      const service = startDown(({ isLink, people: [id] }) => {
        if (!isLink || id !== 3 || failures === 0) return undefined;
        failures -= 1;
        return down;
      });
      const { results, summary } = await run(service.client, pairs(8), { link: true, concurrency: 1 });
      expect(summary).toMatchObject({ assigned: 8, alreadyAssigned: 0, withoutLink: 0 });
      expect(results[3]).toMatchObject({ status: 'assigned', url: 'https://exam.test/3', linkError: null });
      // The assignment, once; its link, twice.
      expect(service.requests.filter(({ people }) => people[0] === 3).map(({ isLink }) => isLink)).toEqual([
        false,
        true,
        true,
      ]);
    },
  );

  test.each<Down>(['a page of a success', 'a success that is cut'])(
    'shows nothing of a rejected pair with %s: the pair is sent again',
    async (down) => {
      let failures = 1;
      const service = startDown(({ isLink, people: [id] }) => {
        if (id !== 3 || failures === 0) return undefined;
        if (!isLink) return Response.json({ message: 'Locked.' }, { status: 409 });
        failures -= 1;
        return down;
      });
      const { summary } = await run(service.client, pairs(8), { concurrency: 1 });
      expect(summary).toMatchObject({ assigned: 8, alreadyAssigned: 0, failed: 0 });
    },
  );

  test('on which the service always fails is without a link, and stops no job', async () => {
    const service = startDown(({ isLink, people: [id] }) => (isLink && id === 3 ? '500' : undefined));
    const { results, summary } = await run(service.client, pairs(8), { link: true });
    expect(summary).toMatchObject({ assigned: 8, withoutLink: 1 });
    expect(results[3]).toMatchObject({
      status: 'assigned',
      url: null,
      linkError: { status: 500, outcome: 'done' },
    });
  });

  test('of everybody is waited for, where all fail, with maxOutage', async () => {
    const service = startDown(({ isLink }, number) =>
      isLink && number > 6 && number < 40 ? '500' : undefined,
    );
    const { results, summary } = await run(service.client, pairs(20), { link: true, maxOutage: 3_600_000 });
    expect(summary).toMatchObject({ assigned: 20, withoutLink: 0, failed: 0 });
    expect(results.map(({ url }) => url)).not.toContain(null);
  });
});

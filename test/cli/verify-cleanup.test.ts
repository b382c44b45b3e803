import { describe, expect, test } from 'vitest';
import { createGate } from '../helpers/gate.ts';
import { changed, type Deviation, returning, startDeviating, when } from './deviations.ts';
import { startCli } from './helpers.ts';
import { skipLongWaits } from './skip-waits.ts';
import { key, startFilled, verify } from './verify-helpers.ts';

test('with 40 requests a minute all claims are decided, and nothing is left behind', async () => {
  await using service = startFilled({ requestsPerMinute: 40 });
  const before = service.emulator.snapshot().assignments;
  using clock = skipLongWaits();
  const { code, contradicted, undecided, report } = await verify(service.url, '--write', '--listen', '0');
  expect({ contradicted, undecided, code }).toEqual({ contradicted: [], undecided: [], code: 0 });
  expect(report.left).toEqual([]);
  expect(service.emulator.snapshot()).toMatchObject({ endpoints: [], assignments: before });
  expect(clock.skippedMs).toBeGreaterThan(60_000);
});

test('a pause that the service asks for is shown, with its length', async () => {
  await using service = startFilled({ requestsPerMinute: 40 });
  using _ = skipLongWaits();
  const { stderr } = await verify(service.url);
  expect(stderr).toMatch(/^(The service asks for a pause \(429\): waiting \d\d s\.\n)+$/);
});

/** From the first deletion on, the service returns 429 for so many requests. */
function busyFromDeletion(times: number): Deviation {
  let left: number | undefined;
  return ({ method }) => {
    if (left === undefined && method !== 'DELETE') return undefined;
    left = (left ?? times) - 1;
    if (left < 0) return undefined;
    return Promise.resolve({ status: 429, json: {}, headers: { 'Retry-After': '60' } });
  };
}

test('a 429 during the clean-up is waited for, as long as it takes', async () => {
  await using service = startFilled();
  await using limited = startDeviating(service, busyFromDeletion(3));
  using _ = skipLongWaits();
  const { report } = await verify(limited.url, '--write');
  expect(report.left).toEqual([]);
  expect(service.emulator.snapshot()).toMatchObject({ endpoints: [] });
});

test.each([
  [429, 'POST /participants/import failed with 429'],
  [403, ''],
])('a response of %i to half a body contradicts nothing', async (status, words) => {
  await using service = startFilled();
  await using odd = startDeviating(
    service,
    when(
      ({ path, body }) => path === '/participants/import' && body.endsWith('['),
      (passed) => Object.assign(passed, { status, headers: { 'Retry-After': '60' } }),
    ),
  );
  using _ = skipLongWaits();
  const { contradicted, stderr } = await verify(odd.url, '--write');
  expect(contradicted).toEqual([]);
  expect(stderr).toContain(words);
});

test.each([429, 503])(
  'a service that returns %i from then on is the message, not a contradiction, and what was decided is shown',
  async (status) => {
    await using service = startFilled();
    const busy = { type: 'respond', status, headers: { 'Retry-After': '60' } } as const;
    service.emulator.faults.inject({ on: 'webhooks.test', effect: busy, times: Infinity });
    using _ = skipLongWaits();
    const { code, report, contradicted, stderr } = await verify(service.url, '--write');
    expect({ code, contradicted }).toEqual({ code: 1, contradicted: [] });
    expect(report.claims).toContainEqual(
      expect.objectContaining({ id: 'update.rotate', verdict: 'confirmed' }),
    );
    expect(report.claims).toContainEqual(
      expect.objectContaining({ id: 'webhooks.five', seen: 'the run ended before' }),
    );
    expect(stderr).toContain(`failed with ${status}`);
    // Only the retries of that one request follow, and what was made is removed.
    const tests = service.emulator.requests.filter(({ operation }) => operation === 'webhooks.test');
    expect(tests.length).toBeLessThanOrEqual(3);
    expect(service.emulator.snapshot().endpoints).toEqual([]);
  },
);

describe('what cannot be removed is named, with the command that does it, after the table', () => {
  test('where the service deletes no endpoint', async () => {
    await using service = startFilled();
    await using stubborn = startDeviating(
      service,
      returning(403, ({ method }) => method === 'DELETE'),
    );
    await using rejecting = startDeviating(service, (request) =>
      request.method === 'DELETE' ? Promise.resolve({ status: 403, json: {} }) : undefined,
    );
    // Deleted, although it says that it is not.
    const gone = await verify(stubborn.url, '--write');
    expect(gone.report.left).toEqual([]);
    const { code, report, stderr } = await verify(rejecting.url, '--write');
    const ids = service.emulator.snapshot().endpoints.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(new Set(report.left.map(({ what }) => what))).toEqual(
      new Set(ids.map((id) => `webhook endpoint ${id}`)),
    );
    expect(report.claims.length).toBeGreaterThan(50);
    expect(stderr).toContain(
      `curl -X DELETE -H "Authorization: Bearer $EXAM_SERVICE_API_KEY" -H 'Accept: application/json' '${rejecting.url}/webhooks/${ids[0]}'`,
    );
    expect(stderr).not.toContain(key);
    expect(code).toBe(1);
  });

  test('where the service cancels no assignment', async () => {
    await using service = startFilled();
    await using rejecting = startDeviating(service, (request) =>
      request.path.endsWith('/unassign') ? Promise.resolve({ status: 400, json: {} }) : undefined,
    );
    const { report, stderr } = await verify(rejecting.url, '--write');
    const pair = service.emulator.snapshot().assignments.at(-1);
    expect(report.left).toEqual([
      {
        what: `the assignment of participant ${pair?.participant_id} to exam ${pair?.exam_id}`,
        command: expect.stringContaining(`-d '{"participant_id":${pair?.participant_id},`),
      },
    ]);
    expect(stderr).toContain('This run could not remove everything that it made:\n  the assignment of');
  });

  test('where it is not known whether there is one', async () => {
    await using service = startFilled();
    let isLost = false;
    await using losing = startDeviating(service, (request) => {
      if (request.method === 'POST' && request.path === '/webhooks') {
        isLost = true;
        return changed(request, (passed) => {
          passed.status = 504;
        });
      }
      return isLost ? Promise.resolve({ status: 403, json: {} }) : undefined;
    });
    const { report } = await verify(losing.url, '--write');
    expect(report.left).toEqual([
      {
        what: expect.stringMatching(
          /^perhaps a webhook endpoint whose URL begins with https:\/\/receiver\.invalid/,
        ),
        command: expect.stringContaining(`curl -X GET`),
      },
    ]);
  });
});

test('a run that is stopped shows what it has decided, and removes what it has made', async () => {
  await using service = startFilled();
  const tested = createGate<void>();
  await using watched = startDeviating(service, (request) => {
    if (request.path.endsWith('/test')) tested.open();
    return undefined;
  });
  const run = startCli(['verify', '--write', '--base-url', watched.url], {
    env: { EXAM_SERVICE_API_KEY: key },
  });
  await tested.promise;
  expect(await run.stop()).toBe(1);
  expect(run.stdout).toContain('  confirmed     The link of an assigned participant is returned with 200.\n');
  expect(service.emulator.snapshot()).toMatchObject({ endpoints: [] });
});

import { describe, expect, test } from 'vitest';
import { changed, type Deviation, is, returning, startDeviating, when } from './deviations.ts';
import { startFilled, verify } from './verify-helpers.ts';

const HTML_WARNING =
  '<br />\n<b>Warning</b>:  Undefined array key "ana" in <b>/srv/[app].php</b> on line <b>3</b><br />\n';

/** Runs `verify --json` against a service that deviates. */
async function verifyDeviating(deviation: Deviation, ...args: string[]) {
  await using service = startFilled();
  await using deviating = startDeviating(service, deviation);
  return await verify(deviating.url, ...args);
}

describe('a service is not contradicted', () => {
  test('where an empty page of deliveries is from null to null', async () => {
    const { contradicted } = await verifyDeviating(
      (request) =>
        changed(request, ({ json }) => {
          if (!request.path.endsWith('/deliveries') || !Array.isArray(json.data) || json.data.length > 0)
            return;
          json.meta.pagination.from = null;
          json.meta.pagination.to = null;
        }),
      '--write',
    );
    expect(contradicted).toEqual([]);
  });

  test('where the link is sent as text', async () => {
    const { contradicted, undecided } = await verifyDeviating(
      (request) =>
        changed(request, (passed) => {
          if (request.path.endsWith('/link') && passed.status === 200)
            passed.text = 'https://exams.example/take/1';
        }),
      '--write',
    );
    expect({ contradicted, undecided }).toEqual({ contradicted: [], undecided: [] });
  });

  test('in its fields where the response is an error: the status is what counts', async () => {
    const { contradicted, undecided } = await verifyDeviating(
      returning(500, ({ method }) => method === 'PUT' || method === 'PATCH'),
      '--write',
    );
    const ids = contradicted.map((text) => text.split(':')[0]);
    expect(ids).not.toContain('endpoint.fields');
    expect(contradicted).toContain('update.methods: PATCH /webhooks/{id}: 500');
    expect(undecided).toContain('update.rotate: PATCH /webhooks/{id}: 500');
    expect(undecided).toContain('endpoint.active: nothing to try it with');
  });

  test('where no further participant fits into it: an import may return 400 then', async () => {
    await using service = startFilled({ maxParticipants: 2 });
    const { code, contradicted, undecided, report } = await verify(service.url, '--write');
    expect({ code, contradicted }).toEqual({ code: 0, contradicted: [] });
    expect(undecided).toContain('import.201: nothing to try it with');
    expect(report.notes).toContain(
      'POST /participants/import returned 400: the service may have as many participants as it allows.',
    );
  });

  test('where it has too few records for a second page, and the report says so', async () => {
    await using service = startFilled();
    service.emulator.reset();
    service.emulator.control.seedExams(1);
    const { contradicted, undecided } = await verify(service.url);
    expect(contradicted).toEqual([]);
    expect(undecided).toContain('exams.200: GET /exams?limit=1&page=2: too few records');
  });

  test('where a webhook operation rejects with 200 and success false', async () => {
    const { contradicted } = await verifyDeviating(
      (request) =>
        changed(request, (passed) => {
          if (!request.path.startsWith('/webhooks') || passed.status < 400 || passed.status === 401) return;
          passed.status = 200;
          passed.json = { success: false, message: 'No.', data: null };
        }),
      '--write',
    );
    expect(contradicted).toEqual([]);
  });
});

describe('what is contradicted is explained', () => {
  test('of a field: what it is instead', async () => {
    const { contradicted } = await verifyDeviating(
      (request) =>
        changed(request, ({ json }) => {
          if (!request.path.endsWith('/deliveries')) return;
          for (const { payload } of json.data ?? []) {
            payload.data.score = '87.50';
            delete payload.data.status_label;
          }
        }),
      '--write',
    );
    expect(contradicted).toEqual([
      'result.payload: GET /webhooks/{id}/deliveries, payload.data: status_label is missing, score is a string',
    ]);
  });

  test('of a redirect: where it leads', async () => {
    const { contradicted } = await verifyDeviating((request) =>
      /^\/exams\/\d+$/.test(request.path)
        ? Promise.resolve({
            status: 302,
            json: null,
            headers: { Location: 'https://host.example/login?next=1' },
          })
        : undefined,
    );
    expect(contradicted).toEqual(['exams.retrieve: GET /exams/{id}: 302 to https://host.example/login']);
  });

  test.each([
    ['a message of PHP in HTML', HTML_WARNING, 'a message of PHP before the JSON'],
    [
      'a message of PHP',
      '\nDeprecated: strlen() in /srv/a.php on line 3\n',
      'a message of PHP before the JSON',
    ],
    ['other text', 'debug {1} [2]\n', 'text before the JSON'],
  ])('of %s before the JSON', async (_what, before, words) => {
    const { contradicted, written } = await verifyDeviating((request) =>
      changed(request, (passed) => {
        if (/^\/exams\/\d+$/.test(request.path)) passed.text = before + JSON.stringify(passed.json);
      }),
    );
    expect(contradicted).toEqual([`exams.retrieve: GET /exams/{id}: 200, ${words}`]);
    expect(written).not.toContain('/srv');
  });
});

test('text before the JSON of every response ends the run with the reason', async () => {
  const { code, stderr } = await verifyDeviating((request) =>
    changed(request, (passed) => {
      passed.text = HTML_WARNING + JSON.stringify(passed.json);
    }),
  );
  expect(code).toBe(1);
  expect(stderr).toBe(
    'The service writes text before its JSON (200, a message of PHP before the JSON), so that no client can read it. In PHP, set display_errors to 0.\n',
  );
});

test.each(['ascending', 'descending'])(
  'the imported participant is found in a list of 30,000, %s by id',
  async (order) => {
    const email = 'exam-service-sdk-verify@example.com';
    await using service = startFilled();
    const pages: number[] = [];
    await using long = startDeviating(service, (request) => {
      if (request.method !== 'GET' || request.path !== '/participants') return undefined;
      const page = Number(request.query.get('page') ?? 1);
      pages.push(page);
      request.query.set('page', '1');
      return changed(request, ({ status, json }) => {
        if (status !== 200) return;
        const others = Array.from({ length: 100 }, (_, index) => ({
          id: page * 1000 + index,
          email: `p${page}-${index}@example.com`,
        }));
        const isEnd = page === (order === 'ascending' ? 300 : 1);
        json.data = isEnd ? json.data.filter((one: { email: string }) => one.email === email) : others;
        Object.assign(json.meta, { current_page: page, last_page: 300, total: 30_000, per_page: 100 });
      });
    });
    const { report } = await verify(long.url, '--write');
    expect(report.claims).toContainEqual(
      expect.objectContaining({ id: 'participant.email', verdict: 'confirmed', seen: '1 with one email' }),
    );
    expect(report.claims).toContainEqual(
      expect.objectContaining({ id: 'update.partial', verdict: 'confirmed' }),
    );
    expect(pages.length).toBeLessThan(110);
  },
);

/** A list of 30,000 participants without the imported one, of which few are on a page. */
const withoutImported: Deviation = (request) => {
  if (request.method !== 'GET' || request.path !== '/participants') return undefined;
  const page = Number(request.query.get('page') ?? 1);
  return changed(request, ({ status, json }) => {
    if (status !== 200) return;
    json.data = [{ id: page, email: `p${page}@example.com` }];
    Object.assign(json.meta, { current_page: page, last_page: 300, total: 30_000 });
  });
};

/** An import that returns nothing, or an id of the imported one. */
const importReturning = (id: number | null) =>
  when(is('POST', /\/import$/), (passed) => {
    const email = 'exam-service-sdk-verify@example.com';
    if (passed.status === 201) passed.json = id === null ? {} : { data: [{ id, email }] };
  });

test('an imported participant who is not found in a long list is reported, with the way out', async () => {
  const { undecided } = await verifyDeviating(
    (request) => withoutImported(request) ?? importReturning(null)(request),
    '--write',
  );
  expect(undecided).toContain(
    'participant.email: not among the 100 participants that were read: give --participant',
  );
});

test('an imported participant who is not found in a long list is known by what the import returns', async () => {
  const { report } = await verifyDeviating(
    (request) => withoutImported(request) ?? importReturning(3)(request),
    '--write',
  );
  const claim = { id: 'participant.email', verdict: 'confirmed', seen: 'imported twice, one id' };
  expect(report.claims).toContainEqual(expect.objectContaining(claim));
  expect(report.claims).toContainEqual(expect.objectContaining({ id: 'update.200', verdict: 'confirmed' }));
});

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/testing/index.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { withoutBackoff } from '../helpers/no-backoff.ts';
import { type ServiceResponse, startServer as startOdd, unusedUrl } from '../helpers/server.ts';
import { startCli, temporaryFolder } from './helpers.ts';

const key = 'a-key-that-nobody-may-see';
const env = { EXAM_SERVICE_API_KEY: key };

async function startFilled(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const service = await startServer({ apiKey: key, ...options });
  const { control } = service.emulator;
  control.seedExams(2);
  control.seedParticipants([
    { email: 'ana.putri@example.com', name: 'Ana Putri' },
    { email: 'kofi.eriksen@example.com', name: 'Kofi Eriksen', verified: false },
  ]);
  control.seedResults([
    { participant_id: 1, exam_id: 1, score: 87.5 },
    { participant_id: 2, exam_id: 1, score: 40 },
  ]);
  return service;
}

/** Runs `inspect`, which writes into a folder of its own. */
async function inspect(url: string, { environment = env, more = [] as string[] } = {}) {
  await using folder = await temporaryFolder();
  const args = ['inspect', '--base-url', url, '--out', folder.file('s.ts'), ...more];
  const run = startCli(args, { env: environment });
  const code = await run.exitCode;
  const file = await readFile(folder.file('s.ts'), 'utf8').catch(() => null);
  return { code, stdout: run.stdout, stderr: run.stderr, file };
}

/** Runs it against a server that returns every list like this. */
async function inspectOdd(respond: (path: string, query: URLSearchParams) => ServiceResponse) {
  await using server = await startOdd(({ path, query }) => respond(path, query));
  return await inspect(server.url);
}

/** The words about a request. */
const about = (stdout: string, request: string) =>
  stdout
    .split('\n')
    .find((line) => line.startsWith(`${request} `))
    ?.slice(request.length)
    .trim()
    .replace(/ +/g, ' ');

const requests = {
  'GET /participants': 'X-Client-Key accepted; the list ends ',
  'GET /participants?limit=1&page=2': 'X-Client-Key accepted; `limit` and `page` work',
  'GET /participants/{id}': 'X-Client-Key accepted',
  'GET /exams': 'X-Client-Key accepted; the list ends ',
  'GET /exams/{id}': 'X-Client-Key accepted',
  'GET /exam-results': 'X-Client-Key accepted; the list ends ',
  'GET /webhooks': 'Bearer accepted',
};

describe.each([
  ['resource', 'at its stated total or last page'],
  ['paginator', 'at its stated total or last page'],
  ['envelope', 'at its stated total or last page'],
  ['bare', 'with an empty page'],
] as const)('of a service of the style %s', (style, end) => {
  test('it says that both credentials are accepted and where lists end, changes nothing, and shows no value', async () => {
    await using service = await startFilled({ style });
    const before = service.emulator.snapshot();
    const { code, stdout, stderr, file } = await inspect(service.url);
    expect([code, stderr]).toEqual([0, '']);
    for (const [request, words] of Object.entries(requests)) {
      expect(about(stdout, request)).toBe(words.endsWith('ends ') ? words + end : words);
    }
    expect(new Set(service.emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(service.emulator.requests).toHaveLength(Object.keys(requests).length);
    expect(service.emulator.snapshot()).toEqual(before);
    expect(file).toContain('email: z.string(),');
    for (const secret of [key, 'ana.putri', 'Ana Putri', 'Kofi', '87.5', '+07:00']) {
      expect(stdout + file).not.toContain(secret);
    }
  });
});

describe('it says what the client makes of', () => {
  test('a list with a link to the next page', async () => {
    const { stdout } = await inspectOdd(() => ({ body: { data: [{ id: 1 }], links: { next: null } } }));
    expect(about(stdout, 'GET /exams')).toBe('X-Client-Key accepted; the list ends without a next link');
  });

  test.each([
    ['`page`', (limit: number) => [{ id: 1 }, { id: 2 }].slice(0, limit)],
    ['`limit`', (_: number, page: number) => [{ id: page }, { id: page + 1 }]],
    ['both', () => [{ id: 1 }, { id: 2 }]],
  ])('a list of participants that ignores %s', async (_name, rows) => {
    const { stdout } = await inspectOdd((_path, query) => ({
      body: rows(Number(query.get('limit')), Number(query.get('page') ?? 1)),
    }));
    const words = about(stdout, 'GET /participants?limit=1&page=2');
    expect(words).toContain('accepted; `limit` or `page` is ignored');
  });

  test('records whose ids are no numbers: it rejects them, and the file describes them', async () => {
    const { code, stdout, file } = await inspectOdd(() => ({
      body: { data: [{ id: 'P-2041' }, { id: 'P-2042' }] },
    }));
    expect(code).toBe(0);
    expect(about(stdout, 'GET /exams')).toMatch(/; the client rejects it: data\.id must be [^;]+$/);
    expect(about(stdout, 'GET /exam-results')).toMatch(/^X-Client-Key accepted; the list ends [^;]+$/);
    expect(file).toContain('id: z.string(),');
    expect(stdout + file).not.toContain('P-204');
  });

  test('numbers that contradict themselves', async () => {
    const { stdout } = await inspectOdd(() => ({ body: { data: [{ id: 1 }, { id: 2 }], total: 1 } }));
    expect(about(stdout, 'GET /exams')).toBe(
      'X-Client-Key accepted; the list ends at its stated total or last page; ' +
        'the client rejects it: total is less than the rows of this page',
    );
  });

  test('a list of something else than records', async () => {
    const { code, stdout } = await inspectOdd(() => ({ body: ['Ana', null] }));
    expect(code).toBe(0);
    expect(about(stdout, 'GET /exams')).toContain('the client rejects it');
    expect(stdout).not.toContain('Ana');
  });
});

describe('of a service that rejects a part', () => {
  test('it names the credential that is not accepted, and writes what it could read', async () => {
    const { code, stdout, file } = await inspectOdd((path) =>
      path.startsWith('/exam')
        ? { status: 401, body: { message: 'Unauthenticated.' } }
        : { body: [{ id: 1 }] },
    );
    expect(code).toBe(0);
    expect(about(stdout, 'GET /participants')).toContain('accepted');
    expect(about(stdout, 'GET /exams')).toMatch(/^X-Client-Key failed with 401: Unauthenticated\./);
    expect(file).toContain('export const schemas = { participant };');
  });
});

describe('it says why there is nothing to see, and writes nothing, of a service that', () => {
  const KEY = 'The service rejects the key: check EXAM_SERVICE_API_KEY';
  const ADDRESS =
    'No response is as documented. Does the base URL end with the version prefix, such as /api/v1?';

  test.each([
    ['rejects the key with 401', { status: 401, body: {} }, 'failed with 401', KEY],
    ['rejects the key with 403', { status: 403, body: {} }, 'failed with 403', KEY],
    ['is not at this prefix', { status: 404, body: '<html>' }, 'probably not from the service', ADDRESS],
    ['is behind a gateway that wants a login', { status: 401, body: '<html>' }, 'failed with 401', ADDRESS],
    ['returns a page of HTML', { body: '<html>' }, 'its body is a page of HTML', ADDRESS],
    ['is elsewhere', { status: 302, headers: { location: '/login' } }, /a redirect.*\/login/, ADDRESS],
    [
      'writes a warning before its JSON',
      { body: 'Notice: x\n{"data":[]}' },
      'has text before the JSON',
      ADDRESS,
    ],
    ['returns no list', { body: { id: 1 } }, 'should be a list', ADDRESS],
    ['has no records', { body: { data: [] } }, 'accepted', 'There was no record to infer types from.'],
  ])('%s', async (_what, response, seen, words) => {
    const { code, stdout, stderr, file } = await inspectOdd(() => response);
    expect(code).toBe(1);
    expect(about(stdout, 'GET /exams')).toMatch(seen);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/Nothing was written\.\n$/);
    expect(file).toBeNull();
  });

  test('is not there', async () => {
    using _backoff = withoutBackoff();
    const { code, stdout, stderr, file } = await inspect(await unusedUrl());
    expect([code, stdout, file]).toEqual([1, '', null]);
    expect(stderr).toContain('ECONNREFUSED');
  });

  test('does not respond before the command is stopped', async () => {
    const run = startCli(['inspect', '--base-url', await unusedUrl(), '--out', '-'], { env });
    expect(await run.stop()).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toBe('Stopped before everything was read; nothing was written.\n');
  });
});

test('a key on the command line works, with a warning that does not repeat it', async () => {
  await using service = await startFilled();
  const { code, stderr } = await inspect(service.url, { environment: {} as never, more: ['--api-key', key] });
  expect(code).toBe(0);
  expect(stderr).toBe('Other users can read a key on the command line: set EXAM_SERVICE_API_KEY instead.\n');
});

test.each([
  [[], {}, 2, '--base-url or EXAM_SERVICE_BASE_URL is missing.'],
  [[], { EXAM_SERVICE_BASE_URL: ' ' }, 2, '--base-url or EXAM_SERVICE_BASE_URL is missing.'],
  [['--base-url', 'https://host/api/v1'], {}, 2, 'EXAM_SERVICE_API_KEY or --api-key is missing.'],
  [
    ['--base-url', 'https://h', '--library', 'joi'],
    env,
    2,
    '--library must be one of zod, zod/mini, none, not joi.',
  ],
  [
    ['--base-url', 'https://h', '--json', '--out', '-'],
    env,
    2,
    '--json and --out - both write to standard output',
  ],
  [['--base-url', 'http://exams.example.com/api/v1'], env, 1, 'Use https'],
] as const)('%j is a wrong call', async (args, environment, expected, words) => {
  const run = startCli(['inspect', ...args], { env: environment });
  expect(await run.exitCode).toBe(expected);
  expect(run.stderr).toContain(words);
  expect(run.stderr).not.toContain(key);
});

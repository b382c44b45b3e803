import { beforeEach, expect, test, vi } from 'vitest';
import { type Logger, type LogLevel, NotFoundError } from '../../src/index.ts';
import { createClient, failure, type LogRecorder, nowhere, recordLog, throwing } from '../helpers/client.ts';
import { nextTurn } from '../helpers/gate.ts';
import { startService } from '../helpers/server.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** A call that gives each level something to say: a retry, a deprecation, another shape; then one that fails. */
async function talk(logLevel: LogLevel | undefined, logger: Logger) {
  await using server = startService(({ path }, { number }) => {
    if (path === '/exams/4') return { status: 404, body: { message: 'No such exam' } };
    return number === 1 ? { status: 503 } : { headers: { Deprecation: 'true' }, body: { id: 'three' } };
  });
  const client = createClient(server, { logger, logLevel, validation: 'report', maxRetries: 1 });
  expect(await client.exams.retrieve(3)).toEqual({ id: 'three' });
  await failure(client.exams.retrieve(4), NotFoundError);
}

test('a logger needs no method `error`: the lines of that level are left out', async () => {
  const { error: _, ...logger } = recordLog();
  await talk('error', logger);
  await talk('warn', logger);
  expect(levelsOf(logger)).toEqual(['warn']);
});

test('EXAM_SERVICE_LOG names the level where no option does', async () => {
  vi.stubEnv('EXAM_SERVICE_LOG', 'info');
  const logger = recordLog();
  await talk(undefined, logger);
  expect(levelsOf(logger)).toEqual(['info', 'warn']);
});

test.each<[string | undefined, object, string]>([
  ['INFO', { logLevel: undefined }, 'info'],
  ['debug', { logLevel: 'Info' }, 'info'],
])('levels are read without case: %s, %j', async (variable, { logLevel }: { logLevel?: unknown }, least) => {
  vi.stubEnv('EXAM_SERVICE_LOG', variable);
  const logger = recordLog();
  await talk(logLevel as LogLevel, logger);
  expect(levelsOf(logger)).toEqual([least, 'warn']);
});

const levels = 'must be one of debug, info, warn, error, off: `warn` is used.';

test.each<[string | undefined, unknown, string]>([
  ['loud', undefined, `EXAM_SERVICE_LOG ${levels}`],
  [undefined, 'verbose', `\`logLevel\` ${levels}`],
  [undefined, 'toString', `\`logLevel\` ${levels}`],
  ['debug', 3, `\`logLevel\` ${levels}`],
])(
  'a level that is none (EXAM_SERVICE_LOG=%s, logLevel: %j) is warn, and one line of the client and its siblings says so',
  async (variable, logLevel, line) => {
    vi.stubEnv('EXAM_SERVICE_LOG', variable);
    const logger = recordLog();
    const client = createClient(nowhere, { logger, logLevel: logLevel as LogLevel });
    client.withOptions({ timeout: 5_000 }).withOptions({ maxRetries: 1 });
    expect(logger.lines).toEqual([{ level: 'warn', message: `exam-service-sdk: ${line}` }]);
    await talk(logLevel as LogLevel, logger);
    expect(levelsOf(logger)).toEqual(['warn']);
  },
);

const levelsOf = ({ lines }: LogRecorder) => [...new Set(lines.map(({ level }) => level))].sort();

test.each<[LogLevel | undefined, string[]]>([
  ['debug', ['debug', 'info', 'warn']],
  ['info', ['info', 'warn']],
  ['warn', ['warn']],
  [undefined, ['warn']],
  ['error', []],
  ['off', []],
])('at level %s, the lines have the levels %j', async (logLevel, expected) => {
  const logger = recordLog();
  await talk(logLevel, logger);
  expect(levelsOf(logger)).toEqual(expected);
});

test('the lines say what happened', async () => {
  const logger = recordLog();
  await talk('debug', logger);
  const lines: [LogLevel, RegExp][] = [
    ['debug', /^exam-service-sdk: exams\.retrieve: GET \/api\/v1\/exams\/3 sent$/],
    ['debug', /exams\.retrieve: GET \/api\/v1\/exams\/3: 503 after \d+ ms$/],
    ['info', /failed with 503: Service Unavailable\. Retrying in 0 ms\.$/],
    ['debug', /exams\/3 \(attempt 2\) sent$/],
    ['debug', /exams\/3 \(attempt 2\): 200 after \d+ ms$/],
    ['warn', /exams\.retrieve: the service has deprecated this operation$/],
    ['warn', /exams\.retrieve: the response has an unexpected shape: id .+/],
    ['debug', /exams\/4 sent$/],
    ['debug', /exams\/4: 404 after/],
    ['debug', /failed with 404: No such exam\.$/],
  ];
  expect(logger.lines).toEqual(
    lines.map(([level, message]) => ({ level, message: expect.stringMatching(message) })),
  );
});

test('a query, which may be personal, is not logged', async () => {
  await using server = startService({ body: [] });
  const logger = recordLog();
  const query = { search: 'ada@example.test' };
  await createClient(server, { logger, logLevel: 'debug' }).participants.list({}, { query });
  expect(logger.lines.map(({ message }) => message).join()).not.toMatch(/ada/);
});

test('the console is the default', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  await using server = startService({ headers: { Deprecation: 'true' }, body: [] });
  await createClient(server, { logLevel: undefined }).exams.list();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('deprecated')]]);
});

test('the console of a page separates lines by their level; elsewhere standard output is left to the program', async () => {
  const [info, error] = (['info', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(undefined),
  );
  await using server = startService((_, { number }) => (number % 2 === 1 ? { status: 503 } : { body: [] }));
  const list = () => createClient(server, { logLevel: 'info', maxRetries: 1 }).exams.list();
  await list();
  expect([info?.mock.calls.length, error?.mock.calls.length]).toEqual([0, 1]);
  vi.stubGlobal('window', { document: {} });
  await createClient(server, {
    logLevel: 'info',
    maxRetries: 1,
    dangerouslyAllowBrowser: true,
  }).exams.list();
  expect([info?.mock.calls.length, error?.mock.calls.length]).toEqual([1, 1]);
});

test('a 429 that is waited for is reported once, as a pause of the client', async () => {
  const logger = recordLog();
  await using server = startService((_, { number }) =>
    number === 1 ? { status: 429, headers: { 'Retry-After': '0.01' } } : { body: [] },
  );
  await createClient(server, { logger, logLevel: 'info', maxRetries: 1 }).exams.list();
  expect(logger.lines.map(({ message }) => message)).toEqual([
    expect.stringMatching(/: Rate limited \(429\): requests of this client wait for \d+ ms\.$/),
  ]);
});

const broken = throwing(new Error('disk full'));
const rejecting = () => Promise.reject(new Error('disk full'));

test.each([
  ['throws', broken],
  ['rejects', rejecting],
])('a logger that %s does not break the call', async (_, log) => {
  const lost: unknown[] = [];
  const onLost = (reason: unknown) => lost.push(reason);
  process.on('unhandledRejection', onLost);
  try {
    await talk('debug', { debug: log, info: log, warn: log, error: log });
    await nextTurn();
  } finally {
    process.off('unhandledRejection', onLost);
  }
  expect(lost).toEqual([]);
});

test('a logger keeps its own this', async () => {
  class Journal implements Logger {
    readonly #lines: string[] = [];
    debug(message: string) {
      this.#lines.push(message);
    }
    info = this.debug;
    warn = this.debug;
    error = this.debug;
    get size() {
      return this.#lines.length;
    }
  }
  const journal = new Journal();
  await talk('debug', journal);
  expect(journal.size).toBe(10);
});

test('a key in the path of a custom request is not logged, also where a function gives it', async () => {
  await using server = startService({ body: {} });
  const key = 'se/cret&key-1';
  const path = `/x/${encodeURIComponent(key)}` as const;
  for (const apiKey of [key, () => key]) {
    const logger = recordLog();
    const client = createClient(server, { apiKey, logger, logLevel: 'debug' });
    await client.request({ method: 'GET', path, auth: 'bearer' });
    const lines = logger.lines.map(({ message }) => message).join();
    expect(lines).toContain('/x/[redacted] sent');
    expect(lines).not.toContain('key-1');
  }
});

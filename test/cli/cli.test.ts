import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runToEnd, startCli } from './helpers.ts';

test.each(['--help', '-h'])('%s says which commands there are', async (option) => {
  const { code, stdout, stderr } = await runToEnd(option);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: exam-service-sdk <command>/);
  expect(stdout).toMatch(/^ {2}emulator +The exam service on a local port/m);
  expect(stderr).toBe('');
});

test('without a command it shows its help', async () => {
  expect(await runToEnd()).toEqual(await runToEnd('--help'));
});

test('help says the same, and of a command what its own help says', async () => {
  expect(await runToEnd('help')).toEqual(await runToEnd('--help'));
  expect(await runToEnd('help', 'emulator')).toEqual(await runToEnd('emulator', '--help'));
  expect(await runToEnd('help', 'emulater')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown command emulater. Did you mean emulator?'),
  });
});

test.each([['--help'], ['-h'], ['--port', '4010', '--help']])(
  'emulator %s says which options there are, and starts nothing',
  async (...options) => {
    const { code, stdout } = await runToEnd('emulator', ...options);
    expect(code).toBe(0);
    for (const option of ['--port', '--api-key', '--seed', '--demo', '--style', '--json']) {
      expect(stdout).toContain(`${option} `);
    }
  },
);

const commands = ['emulator', 'inspect', 'listen', 'trigger'];

test.each([[], ...commands.map((name) => [name])])(
  'the help of %j fits into 80 columns',
  async (...command) => {
    const { stdout } = await runToEnd(...command, '--help');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

/** The options in a help, with what it says of each. */
function optionsIn(help: string): [option: string, words: string][] {
  const options = /\nOptions:\n(.*?)\n(\n|$)/s.exec(help)?.[1] ?? '';
  return options.split(/\n(?= {2,6}-)/).map((text) => {
    const [option = '', ...words] = text
      .trim()
      .replace(/^-h, /, '')
      .split(/\s{2,}|\n/);
    return [option, words.map((word) => word.trim()).join(' ')];
  });
}

test('each command that calls a service describes an option in the same words', async () => {
  const helps = await Promise.all(commands.slice(1).map((name) => runToEnd(name, '--help')));
  for (const shared of ['--help', '--base-url URL', '--api-key KEY', '--allow-insecure-http']) {
    const words = helps.map(({ stdout }) => new Map(optionsIn(stdout)).get(shared));
    expect(new Set(words).size).toBe(1);
    expect(words[0]).toMatch(/^[A-Z]/);
  }
});

test('docs/command-line.md holds the help of each command, so that every option is in a document', async () => {
  const lead =
    'Run the emulator, inspect a service, and receive or request deliveries from a terminal. This is what\n' +
    '`npx exam-service-sdk <command> --help` prints.';
  const parts = [`# The command line\n\n${lead}\n`];
  for (const name of commands) {
    const { stdout } = await runToEnd(name, '--help');
    parts.push(`## ${name}\n\n\`\`\`text\n${stdout}\`\`\`\n`);
  }
  await expect(parts.join('\n')).toMatchFileSnapshot('../../docs/command-line.md');
});

test.each([
  [['--utc-offset', '-300'], null],
  [['--utc-offset', '-9000'], '--utc-offset needs a whole number from -840 to 840, not -9000.'],
  [['--port', '-1'], '--port needs a whole number from 0 to 65535, not -1.'],
])('a negative number is the value of the option before it: %j', async (options, words) => {
  await using run = startCli(['emulator', '--port', '0', ...options]);
  if (words === null) await run.shows('Ctrl+C');
  else expect(await run.exitCode.then(() => run.stderr)).toContain(words);
  expect(await run.stop()).toBe(words === null ? 0 : 2);
});

test.each(['--version', '-v'])('%s is that of the package', async (option) => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await runToEnd(option)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe('a call that is wrong says what, and where to look', () => {
  test.each([
    [['emulate'], 'Unknown command emulate. Did you mean emulator?', 'exam-service-sdk --help'],
    [['halp'], 'Unknown command halp. Did you mean help?', 'exam-service-sdk --help'],
    [['toString'], 'Unknown command toString.', 'exam-service-sdk --help'],
    [['--port', '1'], 'Unknown option --port.', 'exam-service-sdk --help'],
    [
      ['emulator', '--prot', '1'],
      'Unknown option --prot. Did you mean --port?',
      'exam-service-sdk emulator --help',
    ],
    [['emulator', '-x'], 'Unknown option -x.', 'exam-service-sdk emulator --help'],
    [['emulator', '4010'], 'Unexpected argument 4010.', 'exam-service-sdk emulator --help'],
    [['emulator', '--port'], '--port needs a value: PORT.', 'exam-service-sdk emulator --help'],
    [['emulator', '--port', '--json'], '--port needs a value: PORT.', 'exam-service-sdk emulator --help'],
    [['emulator', '--json=yes'], '--json takes no value.', 'exam-service-sdk emulator --help'],
  ])('%j', async (args, words, help) => {
    const { code, stdout, stderr } = await runToEnd(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`${words}\nRun "${help}" for usage.\n`);
  });

  test.each([
    ['--port', '70000', '--port needs a whole number from 0 to 65535, not 70000.'],
    ['--port', '80.5', '--port needs a whole number from 0 to 65535, not 80.5.'],
    ['--port', '', '--port is empty.'],
    ['--host', '', '--host is empty.'],
    ['--seed', ' ', '--seed is empty.'],
    ['--api-key', "a'b", '--api-key needs a key without spaces and quotation marks.'],
    [
      '--style',
      'envelop',
      '--style must be one of resource, paginator, envelope, bare, not envelop. Did you mean envelope?',
    ],
    ['--score-format', 'text', '--score-format must be one of string, number, not text.'],
    ['--max-participants', 'many', '--max-participants needs a whole number of 0 or more, not many.'],
    ['--disable-after', '0', '--disable-after needs a whole number of 1 or more, not 0.'],
    ['--utc-offset', '9999', '--utc-offset needs a whole number from -840 to 840, not 9999.'],
    ['--retry-delays', '1,soon', '--retry-delays needs seconds like 1,5,30, or none, not 1,soon.'],
  ])('%s %s', async (option, value, words) => {
    const { code, stderr } = await runToEnd('emulator', `${option}=${value}`);
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe(words);
  });
});

const key = 'a-key-that-nobody-may-see';

test.each([
  [['inspect'], 'exams.example.com/api/v1', key, '--base-url must be an absolute http or https URL'],
  [
    ['inspect'],
    'http://exams.example.com/api/v1',
    key,
    'Use https, or set --allow-insecure-http for a network',
  ],
  [
    ['listen', '--endpoint', '1', '--forward-to', 'http://localhost:3000/'],
    `https://user:${key}@exams.example.com`,
    key,
    'pass the key as EXAM_SERVICE_API_KEY.',
  ],
  [
    ['trigger', 'exam_result.completed', '--endpoint', '1'],
    'https://exams.example.com',
    `Bearer ${key}`,
    'EXAM_SERVICE_API_KEY begins with "Bearer "',
  ],
])('%j names its own options in what is wrong: %s, %s', async (command, url, apiKey, words) => {
  const run = startCli([...command, '--base-url', url], { env: { EXAM_SERVICE_API_KEY: apiKey } });
  expect(await run.exitCode).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(words);
  expect(run.stderr.trimEnd()).not.toContain('\n');
  for (const other of ['`', key]) expect(run.stderr).not.toContain(other);
});

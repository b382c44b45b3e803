import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runToEnd } from './helpers.ts';

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
    for (const option of ['--port', '--api-key', '--seed', '--state', '--style', '--json']) {
      expect(stdout).toContain(`${option} `);
    }
  },
);

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
    [
      ['emulator', '--ports', '1'],
      'Unknown option --ports. Did you mean --port?',
      'exam-service-sdk emulator --help',
    ],
    [
      ['trigger', '--endpiont', '1'],
      'Unknown option --endpiont. Did you mean --endpoint?',
      'exam-service-sdk trigger --help',
    ],
    [['lsiten'], 'Unknown command lsiten. Did you mean listen?', 'exam-service-sdk --help'],
    [['emulator', '-x'], 'Unknown option -x.', 'exam-service-sdk emulator --help'],
    [['emulator', '4010'], 'Unexpected argument 4010.', 'exam-service-sdk emulator --help'],
    [['emulator', '--port'], "Option '--port <value>' argument missing", 'exam-service-sdk emulator --help'],
    [
      ['emulator', '--json=yes'],
      "Option '--json' does not take an argument",
      'exam-service-sdk emulator --help',
    ],
  ])('%j', async (args, words, help) => {
    const { code, stdout, stderr } = await runToEnd(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`${words}\nRun "${help}" for usage.\n`);
  });

  test.each([
    ['--port', '70000', '--port needs a whole number from 0 to 65535, not 70000.'],
    ['--port', '80.5', '--port needs a whole number from 0 to 65535, not 80.5.'],
    ['--port', '', '--port needs a whole number from 0 to 65535, not .'],
    ['--api-key', '', '--api-key needs a key without spaces and quotation marks.'],
    ['--api-key', "a'b", '--api-key needs a key without spaces and quotation marks.'],
    [
      '--style',
      'envelop',
      '--style is one of resource, paginator, simple, envelope, bare, enveloped-paginator, enveloped-resource, ' +
        'named, headers, not envelop. Did you mean envelope?',
    ],
    ['--ids', 'text', '--ids is one of string, number, not text.'],
    ['--credentials', 'both', '--credentials is one of own, either, not both.'],
    ['--refused-key', 'old', '--refused-key needs a key and 401 or 403, like old-key=403, not old.'],
    ['--decimals', 'text', '--decimals is one of string, number, not text.'],
    ['--max-participants', 'many', '--max-participants needs a whole number of 0 or more, not many.'],
    ['--disable-after', '0', '--disable-after needs a whole number of 1 or more, not 0.'],
    ['--utc-offset', '9999', '--utc-offset needs a whole number from -840 to 840, not 9999.'],
    ['--retry-delays', '1,soon', '--retry-delays needs seconds like 1,5,30, not 1,soon.'],
  ])('%s %s', async (option, value, words) => {
    const { code, stderr } = await runToEnd('emulator', `${option}=${value}`);
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe(words);
  });
});

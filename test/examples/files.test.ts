import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CsvRow, openCsv } from '../../examples/support/csv-file.ts';
import { toCsvHeader, toCsvLine } from '../../examples/support/program.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { apiKey, makeFolder, runExample } from './helpers.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

interface Person {
  readonly email: string;
  readonly name: string;
}

async function readPeople(path: string): Promise<CsvRow<Person>[]> {
  const file = await openCsv<Person>(path, ['email', 'name']);
  const rows: CsvRow<Person>[] = [];
  for await (const row of file.rows()) rows.push(row);
  return rows;
}

const text = 'email,name\njose@example.test,José Müller\nhoa@example.test,"Đặng, 😀"\n';
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
const notText =
  /is not valid UTF-8, so names in it would be garbled\. Save it as UTF-8: in Excel as "CSV UTF-8/;

describe('a CSV file', () => {
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little endian', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big endian', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['semicolons', Buffer.from(text.replaceAll(',', ';'))],
    [
      'tabs, as UTF-16, which Excel calls Unicode Text',
      Buffer.from(`\uFEFF${text.replace(/,(?! )/g, '\t')}`, 'utf16le'),
    ],
    ['line ends of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['line ends of old Macs', Buffer.from(text.replaceAll('\n', '\r'))],
    ['mixed line ends, and blank lines', Buffer.from(`\r\n\n${text.replace('\n', '\r\n')}\r`)],
    ['rows that hold only separators at the end, as Excel leaves them', Buffer.from(`${text},\n ,\t\n`)],
    ['no last line end', Buffer.from(text.trimEnd())],
  ])('is read as it was written: %s', async (_kind, bytes) => {
    await writeFile(folder.file('in.csv'), bytes);
    const rows = await readPeople(folder.file('in.csv'));
    const isSemicolons = _kind === 'semicolons';
    expect(rows.map(({ fields }) => fields)).toEqual([
      { email: 'jose@example.test', name: 'José Müller' },
      { email: 'hoa@example.test', name: isSemicolons ? 'Đặng; 😀' : 'Đặng, 😀' },
    ]);
    const blankLines = _kind.includes('blank') ? 2 : 0;
    expect(rows.map(({ line }) => line)).toEqual([2 + blankLines, 3 + blankLines]);
  });

  test('is not read from a pipe, which has nothing left for the second reading', async () => {
    const pipe = folder.file('in.fifo');
    await promisify(execFile)('mkfifo', [pipe]);
    await expect(readPeople(pipe)).rejects.toThrow(/in\.fifo is a pipe/);
  });

  test('is read with short rows, and without columns that have neither a name nor cells', async () => {
    await writeFile(folder.file('in.csv'), ',email,name,,\n,a@example.test\n,b@example.test,B,,\n');
    expect((await readPeople(folder.file('in.csv'))).map(({ fields }) => fields)).toEqual([
      { email: 'a@example.test', name: '' },
      { email: 'b@example.test', name: 'B' },
    ]);
  });

  const count = longOrShort(50_000, 10_000);
  test(`of ${count} rows is read whole, even where its pieces cut a character`, async () => {
    // Characters of two, three and four bytes, so that many of them lie across two pieces.
    const names = Array.from({ length: count }, (_, index) => `${'é'.repeat(index % 7)}ặ😀 ${index}`);
    const lines = names.map((name, index) => `p${index}@example.test;${name}`);
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const path = folder.file(`${encoding}.csv`);
      await writeFile(path, Buffer.from(`\uFEFFemail;name\r\n${lines.join('\r\n')}\r\n`, encoding));
      const rows = await readPeople(path);
      expect(rows.map(({ fields }) => fields.name)).toEqual(names);
      expect(rows.at(-1)?.line).toBe(count + 1);
    }
  });

  test.each<[string, Buffer, RegExp]>([
    ['in Windows-1252', Buffer.from(text.replace(/"Đặng.*"/, 'Zoë'), 'latin1'), notText],
    [
      'in Windows-1252 after 50,000 rows of ASCII',
      Buffer.concat([Buffer.from(text), Buffer.alloc(200_000, 'a,b\n'), Buffer.from('c,Zoë\n', 'latin1')]),
      notText,
    ],
    ['that ends within a character', Buffer.from('email,name\na,Đ').subarray(0, -1), notText],
    [
      'in UTF-16 that ends within a character',
      Buffer.from(`\uFEFF${text}`, 'utf16le').subarray(0, -1),
      /is not valid UTF-16LE/,
    ],
    [
      'with another separator',
      Buffer.from('email|name\na@example.test|A\n'),
      /in\.csv has no column email, name\. Its first line must name the columns email, name, separated by commas, semicolons or tabs\./,
    ],
    [
      'without a column',
      Buffer.from('email;Name\na@example.test;A\n'),
      /has no column name\. Its first line/,
    ],
    [
      'without a first line',
      Buffer.from('a@example.test,A,secret-1\n'),
      /^(?!.*secret-1).*has no column email, name\./,
    ],
    [
      'with two columns of one name',
      Buffer.from('email,name,name\na@example.test,A,B\n'),
      /in\.csv has two columns name: rename or remove one of them\./,
    ],
    [
      'with a row that has more cells than there are columns',
      Buffer.from('email;name\na@example.test;A\nb@example.test;Doe; secret-1\n'),
      /^Line 3 of (?!.*secret-1).*in\.csv has more cells than there are columns\. Put quotes around/,
    ],
    [
      'with a quote within a cell',
      Buffer.from('email,name,password\na@example.test,A,secret-1"2\n'),
      /^Line 2 of (?!.*secret-1).*in\.csv has quotes that do not match\./,
    ],
    [
      'with a cell in a column that has no name',
      Buffer.from('email,name,,\na@example.test,A,,\nb@example.test,B,secret-1,\n'),
      /^Line 3 of (?!.*secret-1).*in\.csv has a cell in a column without a name: name or remove it\./,
    ],
    ['that is empty', Buffer.from(''), /has no column email, name\./],
  ])('%s is rejected, with what to do', async (_kind, bytes, message) => {
    await writeFile(folder.file('in.csv'), bytes);
    await expect(openCsv<Person>(folder.file('in.csv'), ['email', 'name'])).rejects.toThrow(message);
  });
});

describe('a CSV file that is written', () => {
  test('opens in a spreadsheet with formulas as text, names as written and numbers as numbers', () => {
    const cells = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', 'Đặng', 'a "b", c\nd', "'x", null];
    // A spreadsheet takes a cell that begins with an apostrophe for text, and UTF-8 with its mark for UTF-8.
    expect(toCsvHeader(['text', 'number']) + cells.map((cell) => toCsvLine([cell, -2.5])).join('')).toBe(
      [
        '\uFEFFtext,number',
        "'=1+1,-2.5",
        "'+1,-2.5",
        "'-1+1,-2.5",
        "'@SUM(A1),-2.5",
        "'\t=1,-2.5",
        '"\'\r=1",-2.5',
        'Đặng,-2.5',
        '"a ""b"", c\nd",-2.5',
        "'x,-2.5",
        ',-2.5',
        '',
      ].join('\n'),
    );
  });
});

describe('of address and key, either of which is missing', () => {
  longTest.each([
    ['EXAM_SERVICE_API_KEY', { EXAM_SERVICE_API_KEY: '' }],
    ['EXAM_SERVICE_BASE_URL', { EXAM_SERVICE_BASE_URL: '' }],
  ])('an example says that %s is, and starts no emulator in its place', async (name, environment) => {
    const { code, stdout, stderr } = await runExample(
      'import-participants.ts',
      ['examples/data/participants.csv', folder.file('out.csv')],
      'http://127.0.0.1:1/api/v1',
      environment,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${name} is missing: .*\n$`));
  });
});

longTest.each([
  ['import-participants.ts', 'The name of your CSV file'],
  ['sync-roster.ts', 'The name of your CSV file'],
  ['assign-and-link.ts', '--exam'],
  ['quickstart.ts', '--test-project'],
  ['observability.ts', '--test-project'],
])('%s writes no sample data into a service that the environment names', async (example, missing) => {
  const address = 'http://127.0.0.1:1/api/v1';
  const { code, stdout, stderr } = await runExample(example, [], address);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(`${missing} is missing: this changes data of ${address}.\n`);
});

longTest(
  'sync-roster.ts reads a service that the environment names without a file, as long as it only compares',
  async () => {
    const emulator = createEmulator({ apiKey });
    emulator.control.seedParticipants(12);
    const server = await emulator.listen();
    try {
      const { code, stdout } = await runExample('sync-roster.ts', ['--dry-run'], server.url);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Dry run: nothing was changed\.\n$/);
    } finally {
      await server.close();
    }
  },
);

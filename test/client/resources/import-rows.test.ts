import { describe, expect, test } from 'vitest';
import { type ParticipantImport, RequestValidationError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { rejecting, row, rowsOf, startImports } from './helpers.ts';

/** Why a row is rejected. */
async function reasonOf(broken: unknown): Promise<string | undefined> {
  await using service = await startImports();
  const source = [row(0), broken as ParticipantImport];
  const { rejections, imported } = await service.participants.importAll(source, { invalidRows: 'reject' });
  expect(imported).toBe(1);
  return rejections[0]?.message;
}

/** The message of an import that its rows stop, even with `invalidRows: 'reject'`, before anything is sent. */
async function stoppedBy(broken: unknown): Promise<string> {
  await using service = await startImports();
  const error = await service.stopped([broken as ParticipantImport], { invalidRows: 'reject' });
  expect(error.cause).toBeInstanceOf(RequestValidationError);
  expect(error).toMatchObject({ resumeFrom: 0, outcome: 'not_sent', retryable: false });
  expect(service.server.requests).toHaveLength(0);
  expect(error.message.length).toBeLessThan(400);
  return error.message;
}

describe('a fault of the program stops the import', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['bytes', new Uint8Array(300_000), ['Uint8Array', 'CSV parser']],
    ['a Buffer', Buffer.from('a,b'), ['Uint8Array', 'CSV parser']],
    ['a line', 'kofi@example.test;Kofi;cedar-delta-225', ['string', 'CSV parser']],
    ['cells', ['kofi@example.test', 'Kofi'], ['list', '`map`']],
    ['a number', 7, ['object { email, name, password }']],
    ['one column too many', { ...row(0), role: 'student' }, ['role', 'email, name, password', '`map: (']],
    ['none', {}, ['has 0 columns; expected email, name, password']],
    [
      'a German header',
      { 'E-Mail': 'a@b.test', Name: 'A', Kennwort: 'amber-quill-118' },
      ["`map: (row) => ({ email: row['E-Mail'], name: row['Name'], password: row['Kennwort'] })`"],
    ],
    [
      'names in another case',
      { Email: 'a@b.test', NAME: 'A', pässword: 'x' },
      ["row['Email']", "row['pässword']"],
    ],
  ])('where a row is %s, by name', async (_, broken, words) => {
    const message = await stoppedBy(broken);
    for (const word of words) expect(message).toContain(word);
    expect(message).not.toMatch(/kofi|amber-quill/i);
  });

  test('also where rows that break a rule came before, or rows that were passed over', async () => {
    await using service = await startImports();
    const source = [...rowsOf(3), { ...row(3), role: 'student' }, row(4)];
    const { summary } = await service.stopped(source, { invalidRows: 'reject', resumeFrom: 1 });
    expect(summary).toMatchObject({ imported: 2, resumeFrom: 3 });
    // What an earlier run stopped at is no fault of this one.
    expect(await service.participants.importAll(source, { resumeFrom: 4 })).toMatchObject({ imported: 1 });
  });

  test('but a missing column is the fault of its row where an earlier row had it', async () => {
    const { password, ...rest } = row(1);
    expect(await reasonOf(rest)).toContain('password is required');
    expect(await reasonOf({ ...rest, password: undefined })).toContain('password is required');
  });
});

describe('the message about columns', () => {
  const map = '`map: (row) =>';
  const hints = ['delimiter', '`bom: true`', 'spaces', 'header line', 'quotes', 'defval', map];

  test.each<[string, object, readonly string[]]>([
    ['semicolons', { 'E-Mail;Name;Kennwort': 'kofi@example.test;Kofi;cedar' }, ["delimiter: ';'"]],
    ['tabs', { 'email\tname\tpassword': 'kofi@example.test\tKofi\tcedar' }, ["delimiter: '\\t'"]],
    ['a byte order mark', { '\uFEFFemail': 'a@b.test', name: 'A', password: 'x' }, ['`bom: true`']],
    ['a mark and other names', { '\uFEFFE-Mail': 'a@b.test', Name: 'A', Kennwort: 'x' }, ['`bom: true`']],
    ['a mark and semicolons', { '\uFEFFemail;name;password': 'a;b;c' }, ["delimiter: ';'"]],
    ['spaces beside the names', { email: 'a@b.test', ' name': 'A', ' password': 'x' }, ['spaces', map]],
    ['no header line', { 'kofi@example.test': 'a@b.test', Kofi: 'Eva', hunter2: 'x' }, ['header line', map]],
    ['no header line, and a cell too few', { 'kofi@example.test': 'a@b.test', Kofi: 'Eva' }, ['header line']],
    ['other names', { Mail: 'a@b.test', Rufname: 'A', Kennung: 'x' }, [map]],
    ['a column too few, or an empty cell', { email: 'a@b.test', name: 'A' }, ["`defval: ''`"]],
    ['a column too many', { ...row(0), role: 'student' }, []],
    ['a cell too many for PapaParse', { ...row(0), __parsed_extra: ['x'] }, ['quotes']],
    ['a cell too many for sheet_to_json', { ...row(0), __EMPTY: 'x' }, ['quotes']],
    ['two of them', { ...row(0), __EMPTY: 'x', __EMPTY_1: 'y' }, ['quotes']],
    ['a cell too many for csvtojson', { ...row(0), _3: 'x' }, ['quotes']],
  ])('says one thing to do, and nothing else: %s', async (_, broken, said) => {
    const message = await stoppedBy(broken);
    for (const hint of said) expect(message).toContain(hint);
    for (const hint of hints)
      expect(message.includes(hint), hint).toBe(said.some((each) => each.includes(hint)));
    // It stands alone, without what else might be.
    if (!said.includes(map)) expect(message).not.toMatch(/kofi|row\[/i);
  });

  test('names three columns at most', async () => {
    const columns = Object.fromEntries(['aa', 'bb', 'cc', 'dd', 'ee'].map((name) => [name, 1]));
    const message = await stoppedBy({ ...row(0), ...columns });
    expect(message).toContain('`aa`, `bb`, `cc` and 2 more');
    expect(message).not.toContain('dd');
  });

  test('is that of one request, too', async () => {
    const rows = [{ ...row(0), link: 'x' }];
    const { participants } = createClient({ url: 'https://h.test' });
    const error = await failure(participants.import(rows), RequestValidationError);
    expect(error.message).toMatch(/row 0 has an unknown column `link`\. Pass `map` to importAll/);
  });
});

describe('a blank line', () => {
  const blank = { email: '', name: ' ', password: '' };

  test.each<[what: string, line: object]>([
    ['of empty cells', blank],
    ['of its first cell alone', { email: '' }],
    ['without cells', {}],
    ['of undefined', { email: undefined, name: undefined, password: undefined }],
  ])('%s is skipped, and is no row', async (_, line) => {
    await using service = await startImports();
    const source = [row(0), line, row(1), line] as ParticipantImport[];
    expect(await service.participants.importAll(source)).toMatchObject({
      imported: 2,
      skipped: 2,
      rejected: 0,
      resumeFrom: 4,
    });
  });

  test('may be the first, if it has all columns', async () => {
    await using service = await startImports();
    expect(await service.participants.importAll([blank, row(0)])).toMatchObject({ imported: 1, skipped: 1 });
    const { message } = await service.stopped([{ email: '' }, row(0)] as ParticipantImport[]);
    expect(message).toContain('the columns email');
  });

  test('is what `map` makes blank', async () => {
    await using service = await startImports();
    const map = (line: { readonly Mail: string; readonly Nr: number }) => ({
      ...row(line.Nr),
      email: line.Mail,
    });
    const source = [
      { Mail: 'a@b.test', Nr: 1 },
      { Mail: '', Nr: 2 },
    ];
    // Its other cells are filled.
    expect((await service.stopped(source as never, { map } as never)).message).toContain(
      'email must not be empty',
    );
    const cells = ({ Mail }: { readonly Mail: string }) => ({ email: Mail, name: Mail, password: Mail });
    expect(await service.participants.importAll(source, { map: cells })).toMatchObject({
      imported: 1,
      skipped: 1,
    });
  });

  test('has no other column, and nothing but blanks', async () => {
    await using service = await startImports();
    expect((await service.stopped([row(0), { ...blank, role: '' }] as never)).message).toContain('`role`');
    expect((await service.stopped([row(0), { ...blank, name: 'Ada' }])).message).toContain('email must not');
    const withNull = [row(0), { ...blank, password: null }] as unknown as ParticipantImport[];
    expect((await service.stopped(withNull)).message).toContain('password must be a string, not null');
  });
});

describe('text that a service cannot take', () => {
  test.each([
    ['half a character', { name: 'Zoë 😀'.slice(0, 5) }, 'name'],
    ['U+0000', { password: 'cedar\0delta' }, 'password'],
    ['nothing but spaces and zero-width characters', { name: ' \u200B\uFEFF\u200E' }, 'name'],
    ['a password of zero-width characters', { password: '\u200B\u200B' }, 'password'],
  ])('(%s) is rejected before anything is sent', async (_, change, name) => {
    expect(await reasonOf({ ...row(1), ...change })).toMatch(new RegExp(`^${name} `));
    const { participants, webhooks } = createClient({ url: 'https://h.test' });
    const error = await failure(
      participants.import([row(0), { ...row(1), ...change }]),
      RequestValidationError,
    );
    expect(error.issues).toMatchObject([{ path: `participants.1.${name}` }]);
    const [text] = Object.values(change);
    const endpoint = { url: `https://h.test/${text}`, events: [text] as never };
    await failure(webhooks.create(endpoint), RequestValidationError);
  });

  test('does not include whole emojis and their joiners in a name', async () => {
    await using service = await startImports();
    const source = [{ ...row(0), name: '👩‍👩‍👧 Zoë 😀' }];
    expect(await service.participants.importAll(source)).toMatchObject({ imported: 1 });
  });
});

describe('what nobody sees in an email or a password', () => {
  const faults: [string, Partial<ParticipantImport>][] = [
    ['a space behind the password', { password: 'cedar-delta-225 ' }],
    ['a space before the password', { password: '\u00A0cedar-delta-225' }],
    ['a zero-width space in the password', { password: 'cedar\u200Bdelta' }],
    ['a space behind the email', { email: 'p1@example.test ' }],
    ['a mark of direction in the email', { email: '\u200Ep1@example.test' }],
    ['a soft hyphen in the email', { email: 'p1@exam\u00ADple.test' }],
  ];

  test.each(faults)('rejects its row, also where `map` gave it: %s', async (_, change) => {
    await using service = await startImports();
    for (const map of [undefined, (participant: ParticipantImport) => participant]) {
      const options = { map, invalidRows: 'reject' } as const;
      const { rejections } = await service.participants.importAll([{ ...row(1), ...change }], options);
      expect(rejections).toMatchObject([
        {
          index: 0,
          outcome: 'not_sent',
          message: expect.stringMatching(/^(email|password) (?!.*(cedar|p1))/),
        },
      ]);
    }
  });

  test('stops the import where rows that break a rule do', async () => {
    await using service = await startImports();
    const error = await service.stopped([row(0), { ...row(1), password: 'cedar-delta-225 ' }]);
    expect(error.cause).toMatchObject({ issues: [{ path: '1.password' }] });
    expect(error).toMatchObject({ resumeFrom: 1, outcome: 'not_sent' });
  });
});

describe('an email that an earlier row has', () => {
  const again = (index: number, email: string): ParticipantImport => ({ ...row(index), email });

  test.each([
    ['as it is', 'zoë0@example.test'],
    ['in another case', 'ZOË0@Example.TEST'],
    ['in another Unicode form', 'zoë0@example.test'.normalize('NFD')],
  ])('(%s) is rejected with the index of that row', async (_, email) => {
    await using service = await startImports();
    const source = [row(0), { ...row(1), email: 'zoë0@example.test' }, row(2), again(3, email), row(4)];
    for (const batchSize of [1, 25]) {
      const summary = await service.participants.importAll(source, { batchSize, invalidRows: 'reject' });
      expect(summary).toMatchObject({ imported: 4, rejected: 1, skipped: 0 });
      expect(summary.rejections).toEqual([
        { index: 3, message: 'another row has this email', outcome: 'not_sent', duplicateOf: 1 },
      ]);
    }
    const error = await service.stopped(source);
    expect(error).toMatchObject({ resumeFrom: 3, cause: { issues: [{ path: '3.email' }] } });
    expect(error.message).toContain('row 3: email is that of row 1');
  });

  test('is skipped where the whole row is equal, as in a file with a line for each enrolment', async () => {
    await using service = await startImports();
    const source = rowsOf(5).flatMap((one) => [one, { ...one }, { ...one }]);
    for (const batchSize of [1, 4, 25]) {
      const summary = await service.participants.importAll(source, { batchSize });
      expect(summary).toMatchObject({ imported: 5, rejected: 0, skipped: 10, processed: 15 });
    }
  });

  test('counts over the rows before resumeFrom', async () => {
    await using service = await startImports();
    const source = [row(0), row(1), again(2, row(0).email), row(1), row(4)];
    const summary = await service.participants.importAll(source, { resumeFrom: 2, invalidRows: 'reject' });
    expect(summary).toMatchObject({ imported: 1, rejected: 1, skipped: 1 });
    expect(summary.rejections).toMatchObject([{ index: 2, duplicateOf: 0 }]);
    expect(service.sent()).toEqual([[4]]);
  });

  test.each([1, 2, 25])(
    'is also taken where the service rejected that row: both are to be repaired together (batches of %i)',
    async (batchSize) => {
      await using service = await startImports((request, exchange) =>
        rejecting(request.text.includes('password-of-0') ? [0] : [])(request, exchange),
      );
      const source = [row(0), row(1), again(2, row(0).email), row(3)];
      const options = { batchSize, invalidRows: 'reject', failedBatches: 'bisect', concurrency: 2 } as const;
      const summary = await service.participants.importAll(source, options);
      const rejections = [
        { index: 0, duplicateOf: null, outcome: 'rejected' },
        { index: 2, duplicateOf: 0, outcome: 'not_sent' },
      ];
      expect(summary).toMatchObject({ imported: 2, rejected: 2, rejections });
      // The same row once more is not: its rejection is reported once.
      const twins = await service.participants.importAll([row(0), row(1), row(0)], options);
      expect(twins).toMatchObject({ imported: 1, rejected: 1, skipped: 1, rejections: [{ index: 0 }] });
    },
  );

  test('is free again where that row broke a rule', async () => {
    await using service = await startImports();
    const source = [{ ...row(0), name: '' }, again(1, row(0).email)];
    const summary = await service.participants.importAll(source, { invalidRows: 'reject' });
    expect(summary.rejections.map(({ index }) => index)).toEqual([0]);
  });

  test('never overwrites the earlier row, however many requests are under way', async () => {
    await using service = await startImports(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { status: 201 };
    });
    const source = rowsOf(6).map((participant) => ({ ...participant, email: row(0).email }));
    const summary = await service.participants.importAll(source, {
      concurrency: 6,
      batchSize: 1,
      invalidRows: 'reject',
    });
    expect(summary).toMatchObject({ imported: 1, rejected: 5 });
    expect(service.sent()).toEqual([[0]]);
  });
});

test('of more than 1,000 rejected rows, the summary counts all and lists the first 1,000', async () => {
  await using service = await startImports();
  const source = Array.from({ length: 1_002 }, (_, index) => ({ ...row(index), name: '' }));
  const { rejected, rejections } = await service.participants.importAll(source, { invalidRows: 'reject' });
  expect(rejected).toBe(1_002);
  expect(rejections.map(({ index }) => index)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

test('a dry run does everything but the requests', async () => {
  await using service = await startImports();
  const source = [...rowsOf(30), { ...row(30), name: '' }, { ...row(31), email: row(3).email }, row(4)];
  const reported: number[] = [];
  const summary = await service.participants.importAll(source, {
    dryRun: true,
    invalidRows: 'reject',
    onRejected: ({ index }) => reported.push(index),
    onBatch: () => reported.push(-1),
  });
  expect(summary).toMatchObject({ imported: 30, rejected: 2, skipped: 1, sent: 0, requests: 0, batches: 2 });
  expect(reported).toEqual([30, 31]);
  expect(service.server.requests).toHaveLength(0);
});

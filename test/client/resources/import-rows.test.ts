import { describe, expect, test } from 'vitest';
import { type ParticipantImport, RequestValidationError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { row, rowsOf, startImports } from './helpers.ts';

/** Why a row is left out. */
async function reasonOf(broken: unknown): Promise<string | undefined> {
  await using service = await startImports();
  const source = [broken as ParticipantImport];
  const { rejected } = await service.participants.importAll(source, { onInvalid: 'skip' });
  expect(service.server.requests).toHaveLength(0);
  return rejected[0]?.reason;
}

describe('a row that is not one', () => {
  test.each<[string, unknown, string]>([
    ['bytes', new Uint8Array(300_000), 'is a Uint8Array: put a CSV parser in between'],
    ['a Buffer', Buffer.from('a,b'), 'is a Uint8Array: put a CSV parser in between'],
    ['a line', 'kofi@example.test;Kofi;cedar-delta-225', 'is a string: put a CSV parser in between'],
    [
      'cells',
      ['kofi@example.test', 'Kofi'],
      'is a list: name its columns with the option `map` of importAll',
    ],
    ['a number', 7, 'must be an object { email, name, password }'],
  ])('but %s is named as what it is', async (_, broken, reason) => {
    expect(await reasonOf(broken)).toBe(reason);
  });

  test('but the first person of a file without a header line shows nothing of that person', async () => {
    const broken = { 'kofi@example.test': 'eva@example.test', Kofi: 'Eva', hunter2: 'amber-quill-118' };
    const reason = await reasonOf(broken);
    expect(reason).toContain('3 unknown columns: is the header line missing, the separator another one,');
    expect(reason).not.toMatch(/kofi|hunter2/i);
  });

  test.each<[string, object]>([
    ['the separator another one', { 'email;name;password': 'kofi@example.test;Kofi;cedar-delta-225' }],
    ['or a space beside a name', { email: 'kofi@example.test', ' name': 'Kofi', ' password': 'hunter2' }],
  ])('but the message asks where odd columns come from: %s', async (words, broken) => {
    expect(await reasonOf(broken)).toContain(words);
  });

  test('takes a column for no option of a call, and says who has the option to leave it out', async () => {
    const advice = 'does not take `link`; leave it out with the option `map` of importAll';
    expect(await reasonOf({ ...row(0), link: 'x' })).toBe(advice);
    const rows = [{ ...row(0), link: 'x' }];
    const { participants } = createClient({ url: 'https://h.test' });
    const error = await failure(participants.import(rows), RequestValidationError);
    expect(error.message).toContain(`row 0 ${advice}`);
  });

  test('names at most three unknown columns, which look like columns', async () => {
    const columns = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 1]));
    expect(await reasonOf({ ...row(0), ...columns })).toContain('does not take `a`, `b`, `c` and 2 more;');
  });
});

describe('text that a service cannot take', () => {
  test.each([
    ['half a character', { name: 'Zoë 😀'.slice(0, 5) }, 'name must not hold half a character or U+0000'],
    ['U+0000', { password: 'cedar\0delta' }, 'password must not hold half a character or U+0000'],
    [
      'nothing but spaces and zero-width characters',
      { name: ' \u200B\uFEFF\u200E' },
      'name must not be empty',
    ],
    ['a password of zero-width characters', { password: '\u200B\u200B' }, 'password must not be empty'],
  ])('(%s) is refused before anything is sent', async (_, change, reason) => {
    expect(await reasonOf({ ...row(0), ...change })).toContain(reason);
    const { participants, webhooks } = createClient({ url: 'https://h.test' });
    const error = await failure(
      participants.import([row(0), { ...row(1), ...change }]),
      RequestValidationError,
    );
    expect(error.message).toContain(`participants.import: row 1: ${reason}`);
    const [text] = Object.values(change);
    await failure(webhooks.test(1, { event: text }), RequestValidationError);
  });

  test('does not include whole emojis and their joiners', async () => {
    await using service = await startImports();
    const source = [{ ...row(0), name: '👩‍👩‍👧 Zoë 😀' }];
    expect(await service.participants.importAll(source)).toMatchObject({ imported: 1 });
  });
});

describe('a password with spaces at its ends', () => {
  const padded = { ...row(1), password: 'cedar-delta-225 ' };

  test('leaves its row out, with the reason and without the password', async () => {
    await using service = await startImports();
    const { rejected, imported } = await service.participants.importAll([row(0), padded], {
      onInvalid: 'skip',
    });
    expect(imported).toBe(1);
    expect(rejected).toEqual([{ index: 1, reason: expect.stringContaining('has spaces at its ends') }]);
    expect(rejected[0]?.reason).not.toContain('cedar');
  });

  test('stops the import where rows that break a rule do', async () => {
    await using service = await startImports();
    const error = await service.stopped([row(0), padded]);
    expect(error.message).toContain('row 1: password has spaces at its ends');
    expect(error).toMatchObject({ resumeFrom: 1, outcome: 'not_sent' });
  });

  test('is sent as `map` gives it', async () => {
    await using service = await startImports();
    await service.participants.importAll([padded], { map: (participant) => participant });
    expect(service.server.request.body).toMatchObject({ participants: [{ password: 'cedar-delta-225 ' }] });
  });
});

describe('an email that occurs again', () => {
  const again = (index: number, email: string): ParticipantImport => ({ ...row(index), email });

  test.each([
    ['in another case, with a space before it', ' P0@Example.test'],
    ['with a zero-width space behind it', 'p0@example.test\u200B'],
    ['between marks of direction and a space', '\u200E p0@example.test\u200F'],
  ])('%s, begins the next request', async (_, email) => {
    await using service = await startImports();
    const source = [row(0), row(1), again(2, email), row(3), row(4)];
    expect(await service.participants.importAll(source)).toMatchObject({ imported: 5, batches: 2 });
    const sizes = service.server.requests.map(
      ({ body }) => (body as { participants: [] }).participants.length,
    );
    expect(sizes).toEqual([2, 3]);
  });

  test('waits for the earlier row, however many requests are under way', async () => {
    let underWay = 0;
    let most = 0;
    await using service = await startImports(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { status: 201 };
    });
    const source = rowsOf(6).map((participant) => ({ ...participant, email: row(0).email }));
    await service.participants.importAll(source, { concurrency: 6 });
    expect(service.server.requests).toHaveLength(6);
    expect(most).toBe(1);
  });
});

test('of more than 1,000 rejected rows, the summary counts all and lists the first 1,000', async () => {
  await using service = await startImports();
  const source = Array.from({ length: 1_002 }, (_, index) => ({ ...row(index), name: '' }));
  const { failed, rejected } = await service.participants.importAll(source, { onInvalid: 'skip' });
  expect(failed).toBe(1_002);
  expect(rejected.map(({ index }) => index)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

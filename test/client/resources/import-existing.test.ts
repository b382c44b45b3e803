import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  type ImportAllOptions,
  ImportStoppedError,
  type ParticipantImport,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, throwing } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';
import { row, rowsOf, sentIn } from './helpers.ts';

/** A service that lists these people, for each pass over its list, the last ones for ever; and takes imports. */
function startWith(...passes: (readonly object[])[]) {
  let pass = 0;
  const server = startService(({ method }) => {
    if (method === 'POST') return { status: 201, body: { message: 'Imported' } };
    pass += 1;
    const data = passes[pass - 1] ?? passes.at(-1) ?? [];
    return { body: { data, meta: { current_page: 1, last_page: 1, total: data.length } } };
  });
  const sent = () => server.requests.filter(({ method }) => method === 'POST').flatMap(sentIn);
  const { participants } = createClient(server);
  return { server, participants, sent, [Symbol.asyncDispose]: () => server.close() };
}

const skip = { existing: 'skip' } as const;
const person = (index: number, email: unknown = row(index).email) => ({ id: index + 1, email });

describe("existing: 'skip'", () => {
  test.each<[what: string, passes: object[][], sent: number[]]>([
    ['nobody is known', [[]], [0, 1, 2]],
    ['the known are skipped', [[person(1)]], [0, 2]],
    ['also in another spelling', [[person(1, ' P1@Example.TEST')]], [0, 2]],
    ['also who was in one pass alone', [[person(0)], [person(2)], [person(0)]], [1]],
    ['a record without an email is nobody', [[person(1), person(7, null)]], [0, 2]],
  ])('leaves known people alone: %s', async (_, passes, sent) => {
    await using service = startWith(...passes);
    const summary = await service.participants.importAll(rowsOf(3), skip);
    expect(service.sent()).toEqual(sent);
    const known = 3 - sent.length;
    expect(summary).toMatchObject({
      imported: sent.length,
      skipped: known,
      known,
      processed: 3,
      requests: 1,
    });
  });

  test('counts beside them who is skipped for another reason', async () => {
    await using service = startWith([person(1)]);
    const source = [row(0), row(0), row(1), row(1)];
    const summary = await service.participants.importAll(source, skip);
    expect(summary).toMatchObject({ imported: 1, skipped: 3, known: 2 });
  });

  const { email } = row(1);
  test.each<[what: string, given: object]>([
    ['no password', { email, name: 'Ada', password: '' }],
    ['no column for it', { email, name: 'Ada' }],
    ['nothing else', { email }],
    ['a number as name', { email, name: 7, password: 'x' }],
    ['spaces around the email', { email: ` ${email} `, name: 'Ada', password: 'x' }],
    ['another name', { email, name: 'Else', password: 'x' }],
  ])('knows a person by the email alone: a row with %s', async (_, given) => {
    await using service = startWith([person(1)]);
    const source = [given, row(0), given] as ParticipantImport[];
    expect(await service.participants.importAll(source, skip)).toMatchObject({ imported: 1, known: 2 });
  });

  test('stops at an unknown column all the same', async () => {
    await using service = startWith([person(1)]);
    const source = [{ ...row(1), role: 'student' }];
    const error = await failure(service.participants.importAll(source, skip), ImportStoppedError);
    expect(error).toMatchObject({ resumeFrom: 0, summary: { known: 0 } });
    expect(error.message).toContain('`role`');
  });

  test('with dryRun says how many would be overwritten, and sends no import', async () => {
    await using service = startWith([person(1), person(2)]);
    const summary = await service.participants.importAll(rowsOf(3), { ...skip, dryRun: true });
    expect(summary).toMatchObject({ imported: 1, skipped: 2, known: 2, sent: 0 });
    expect(service.sent()).toEqual([]);
  });

  test.each<[what: string, options: ImportAllOptions]>([
    ['update', { existing: 'update' }],
    ['the default', {}],
  ])('%s reads no list', async (_, options) => {
    await using service = startWith([person(1)]);
    expect(await service.participants.importAll(rowsOf(3), options)).toMatchObject({
      imported: 3,
      known: null,
    });
    expect(service.server.requests).toHaveLength(1);
  });

  test('is the error of findByEmail where the service lists no emails, before anything is sent', async () => {
    await using service = startWith([{ id: 1 }, person(2, null)]);
    let isClosed = false;
    const source = (function* () {
      try {
        yield* rowsOf(3);
      } finally {
        isClosed = true;
      }
    })();
    source.next();
    const error = await failure(service.participants.importAll(source, skip), ConfigurationError);
    expect(error.message).toContain('the service does not list emails');
    expect(service.sent()).toEqual([]);
    expect(isClosed).toBe(true);
  });

  test('stops where the key function fails, as any other request of the import does', async () => {
    const apiKey = throwing(new Error('the vault is sealed'));
    const importing = createClient(nowhere, { apiKey }).participants.importAll(rowsOf(3), {
      ...skip,
      resumeFrom: 1,
    });
    expect(await failure(importing, ImportStoppedError)).toMatchObject({
      resumeFrom: 1,
      outcome: 'not_sent',
      retryable: false,
      cause: { code: 'configuration' },
    });
  });

  test('stops at the first row, resumable, where the list cannot be read', async () => {
    await using server = startService({ status: 503, body: {} });
    const importing = createClient(server).participants.importAll(rowsOf(3), { ...skip, resumeFrom: 1 });
    expect(await failure(importing, ImportStoppedError)).toMatchObject({
      resumeFrom: 1,
      outcome: 'not_sent',
      retryable: true,
      cause: { status: 503 },
    });
  });

  test('stops with the reason of an abort while the list is read', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    await using server = startService(() => {
      controller.abort(reason);
      return undefined;
    });
    const options = { ...skip, signal: controller.signal };
    const importing = createClient(server).participants.importAll(rowsOf(3), options);
    expect(await failure(importing, ImportStoppedError)).toMatchObject({ cause: reason, resumeFrom: 0 });
  });
});

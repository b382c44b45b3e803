import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UnprocessableEntityError } from '../../../src/index.ts';
import { collect, connect } from '../../fixtures/responses/client.ts';
import { serve } from '../../fixtures/responses/served.ts';
import { failure } from '../../helpers/client.ts';

/** A body of Django REST framework, NestJS or FastAPI, and what is read of it. */
interface Recorded {
  readonly name: string;
  readonly kind: 'list' | 'error';
  readonly body: Readonly<Record<string, unknown>>;
  readonly right: Readonly<Record<string, unknown>> & { readonly rows?: number; readonly next?: boolean };
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/recordings/${name}`, import.meta.url), 'utf8'));

const recordings: readonly Recorded[] = read('frameworks.json');

/** Row 3 of an import is rejected, in the words of many houses. */
const rejectedRow: readonly Omit<Recorded, 'kind'>[] = read('rejected-row.json');

describe('is read as a page:', () => {
  test.each(recordings.filter(({ kind }) => kind === 'list'))('$name', async ({ body, right }) => {
    await using service = await connect({ body });
    const { rows, next = true, ...numbers } = right;
    const page = await service.client.exams.list();
    expect(page.data).toHaveLength(Number(rows));
    expect(page).toMatchObject(numbers);
    expect(page.hasNextPage()).toBe(next);
  });
});

describe('a list is read to its end, and nothing beyond it is asked for:', () => {
  const all = Array.from({ length: 5 }, (_, index) => ({ id: index + 1 }));
  const link = (page: number, last: number) => (page < last ? `http://h/exams?page=${page}` : null);

  test.each<[framework: string, print: (items: unknown[], page: number) => object]>([
    [
      'Django REST framework',
      (results, page) => ({ count: 5, next: link(page, 3), previous: link(1, page), results }),
    ],
    [
      'NestJS',
      (items, page) => ({
        items,
        meta: { totalItems: 5, itemCount: items.length, itemsPerPage: 2, totalPages: 3, currentPage: page },
        links: { first: '/1', previous: '', next: page < 3 ? '/next' : '', last: '/3' },
      }),
    ],
    ['FastAPI', (items, page) => ({ items, total: 5, page, size: 2, pages: 3 })],
    ['ASP.NET', (items, page) => ({ items, totalCount: 5, pageNumber: page, pageSize: 2 })],
    ['Spring', (content, page) => ({ content, totalElements: 5, totalPages: 3, number: page, size: 2 })],
  ])('%s', async (_, print) => {
    const { client, asked } = serve((page) => print(all.slice(2 * page - 2, 2 * page), page));
    expect(await collect(client.exams.list({}, { concurrency: 4 }))).toEqual(all);
    expect(asked).toEqual([1, 2, 3]);
  });
});

async function rejectionWith(body: unknown) {
  await using service = await connect({ status: 422, body });
  const rows = [{ email: 'sari@example.test', name: 'Sari', password: 'long-secret' }];
  return failure(service.client.participants.import(rows), UnprocessableEntityError);
}

describe('says which fields are wrong:', () => {
  test.each(recordings.filter(({ kind }) => kind === 'error'))('$name', async ({ body, right }) => {
    const error = await rejectionWith(body);
    expect(error).toMatchObject({ origin: 'service', ...right });
    expect(error.serviceMessage).not.toBeNull();
  });
});

describe('says which row is wrong and why, or makes nothing of it:', () => {
  test.each(rejectedRow)('$name', async ({ body, right }) => {
    const { fieldErrors, serviceMessage } = await rejectionWith(body);
    expect({ fieldErrors, serviceMessage }).toEqual(right);
  });
});

describe('an import leaves out the rows that are named, and no others:', () => {
  const wrong = 'is not an email';

  test.each<[framework: string, print: (isWrong: readonly boolean[]) => object]>([
    [
      'Django REST framework',
      (isWrong) => ({ participants: isWrong.map((each) => (each ? { email: [wrong] } : {})) }),
    ],
    [
      'NestJS',
      (isWrong) => ({
        message: isWrong.flatMap((each, row) => (each ? [`participants.${row}.email ${wrong}`] : [])),
        error: 'Unprocessable Entity',
        statusCode: 422,
      }),
    ],
    [
      'FastAPI',
      (isWrong) => ({
        detail: isWrong.flatMap((each, row) =>
          each ? [{ loc: ['body', 'participants', row, 'email'], msg: wrong, type: 'value_error' }] : [],
        ),
      }),
    ],
  ])('%s', async (_, print) => {
    await using service = await connect(({ body }) => {
      const { participants } = body as { readonly participants: readonly { readonly email: string }[] };
      const isWrong = participants.map(({ email }) => !email.includes('@'));
      return isWrong.includes(true)
        ? { status: 422, body: print(isWrong) }
        : { status: 201, body: { message: 'Imported' } };
    });
    const rows = Array.from({ length: 50 }, (_, row) => ({
      email: [3, 20, 41].includes(row) ? `row-${row}` : `row-${row}@example.test`,
      name: 'Sari',
      password: 'long-secret',
    }));
    const { imported, rejections } = await service.client.participants.importAll(rows, {
      failedBatches: 'bisect',
    });
    expect(imported).toBe(47);
    expect(rejections.map(({ index }) => index)).toEqual([3, 20, 41]);
    for (const { message } of rejections) expect(message).toMatch(/^email: .*is not an email$/);
    expect(service.server.requests).toHaveLength(4);
  });
});

const naming = rejectedRow.filter(({ right }) =>
  /^participants\.3\./i.test(Object.keys(Object(right['fieldErrors'])).join()),
);

describe('an import gives the row that is named its reason, by its place in the file:', () => {
  test('21 forms name it', () => expect(naming).toHaveLength(21));

  test.each(naming)('$name', async ({ body: rejection }) => {
    await using service = await connect(({ body }) =>
      JSON.stringify(body).includes('no-email')
        ? { status: 422, body: rejection }
        : { status: 201, body: {} },
    );
    const emails = Array.from({ length: 30 }, (_, row) =>
      row === 28 ? 'no-email' : `row-${row}@example.test`,
    );
    const rows = emails.map((email) => ({ email, name: 'Sari', password: 'long-secret' }));
    // Row 28 is row 3 of the second batch.
    const summary = await service.client.participants.importAll(rows, { failedBatches: 'bisect' });
    const message = expect.stringMatching(/^email: (email )?is not an email$/i);
    expect(summary).toMatchObject({ imported: 29, rejections: [{ index: 28, message }] });
    expect(service.server.requests).toHaveLength(3);
  });
});

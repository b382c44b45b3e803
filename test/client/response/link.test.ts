import { describe, expect, test } from 'vitest';
import { ResponseFormatError, ResponseValidationError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { failure, rejection } from '../../helpers/client.ts';

const input = { participant_id: 31, exam_id: 7 };
const url = 'https://exam.example.test/t/9f8e7d?lang=id';

const forms: ReadonlyArray<readonly [form: string, body: unknown, beside: object]> = [
  ['url', { url }, {}],
  ['link', { link: url }, { link: url }],
  ['link, beside other keys', { link: url, expires_at: null }, { link: url, expires_at: null }],
  ['link beside a url that is null', { url: null, link: url }, { link: url }],
  ['url under data', { data: { url } }, {}],
  ['link under data', { data: { link: url, exam_id: 7 } }, { link: url, exam_id: 7 }],
  ['link in an envelope', { success: true, message: 'OK', data: { link: url } }, { link: url }],
  ['url in an envelope', { success: true, message: null, data: { url }, meta: [] }, {}],
  ['link beside success', { success: true, link: url }, { success: true, link: url }],
  ['data as the link itself', { data: url }, {}],
  ['data as the link with blanks around it', { data: ` ${url}\n` }, {}],
  ['data as the link itself in an envelope', { success: true, message: 'OK', data: url }, {}],
  ['a record under its name', { exam_link: { url } }, {}],
  ['a JSON text', JSON.stringify(url).replaceAll('/', '\\/'), {}],
];

describe('the link is read from', () => {
  test.each(forms)('%s', async (_, body, beside) => {
    await using service = await connect({ body });
    expect(await service.client.examParticipants.link(input)).toEqual({ ...beside, url });
  });

  test.each([
    'text/html; charset=UTF-8',
    'text/plain',
    'application/json',
    'application/octet-stream',
    undefined,
  ])('bare text of the content type %s', async (contentType) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    await using service = await connect({ headers, body: `\uFEFF${url}\r\n` });
    for (const validation of ['strict', 'off'] as const)
      expect(await service.client.examParticipants.link(input, { validation })).toEqual({ url });
  });

  test.each([
    ['under its key', { link: 'http://10.0.0.7:8080/t/1' }],
    ['as bare text', 'http://10.0.0.7:8080/t/1'],
  ])('a link by plain http %s', async (_, body) => {
    await using service = await connect({ body });
    expect(await service.client.examParticipants.link(input)).toMatchObject({
      url: 'http://10.0.0.7:8080/t/1',
    });
  });
});

describe('instead of a link', () => {
  test.each([
    ['a relative address', { link: '/t/9f8e7d' }, 'url'],
    ['an empty text', { url: '' }, 'url'],
    ['a script', { url: 'javascript:alert(1)' }, 'url'],
    ['a text that is no address', { data: 'not yet' }, 'data.url'],
    ['a relative address under data', { data: { link: '/t/1' } }, 'data.url'],
    ['a record without a link', { exam_id: 7, token: '9f8e7d' }, ''],
    ['an address under another name', { help: url }, ''],
    ['an envelope around null', { success: true, data: null }, ''],
    ['a message', { message: 'Link sent by email' }, ''],
    ['an array', [url], ''],
    ['an array under data', { data: [url] }, ''],
    ['null', null, ''],
    ['true', true, ''],
    ['an empty object', {}, ''],
    ['a link that is a number', { link: 5 }, ''],
  ])('%s is rejected without quoting it', async (_, body, path) => {
    await using service = await connect({ body });
    const error = await failure(service.client.examParticipants.link(input), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'examParticipants.link', status: 200, issues: [{ path }] });
    expect(String(error)).not.toContain('9f8e7d');
  });

  test.each([
    ['plain text', 'ok'],
    ['several addresses', `${url}\n${url}`],
    ['text that begins with an address', `${url} is your link`],
    ['an address of another kind', 'ftp://exam.example.test/t/1'],
    ['a page of HTML', `<!DOCTYPE html><a href="${url}">start</a>`],
    ['a truncated body', `{"link":"${url}`],
    ['an empty body', ''],
    ['a rejection', { success: false, message: 'Not assigned', data: { link: url } }],
  ])('%s is an error of format', async (_, body) => {
    await using service = await connect({ body });
    const error = await failure(service.client.examParticipants.link(input), ResponseFormatError);
    expect(error).toMatchObject({ operation: 'examParticipants.link', status: 200 });
    expect(String(error)).not.toContain('9f8e7d');
  });
});

test('bare text is a link for the link operation only', async () => {
  await using service = await connect({ body: url });
  const { client } = service;
  for (const call of [
    () => client.exams.retrieve(7),
    () => client.exams.list(),
    () => client.webhooks.list(),
  ]) {
    expect(await rejection(call())).toBeInstanceOf(ResponseFormatError);
  }
});

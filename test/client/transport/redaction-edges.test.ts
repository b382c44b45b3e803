import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ExamServiceError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { importing, json } from '../../helpers/secrets.ts';

const secret = 'first-password';

/** The body that the error of an import with this password keeps of an answer. */
const bodyKept = async (body: string, password = secret) =>
  Reflect.get(await importing(password, { body }), 'body') as string;

describe('the body of an error, which may be cut off anywhere', () => {
  test.each([
    ['echo first-pas', 'echo [redacted]'],
    ['first-password first-passwor', '[redacted] [redacted]'],
    ['echo fir', 'echo [redacted]'],
    ['echo fi', 'echo fi'],
    ['echo first-class', 'echo first-class'],
    ['echo first-class first-', 'echo first-class [redacted]'],
    ['first-pas. The end', 'first-pas. The end'],
    ['{"echo":"first-pas', '{"echo":"[redacted]'],
    ['{"echo":"first-pas"}', '{"echo":"first-pas"}'],
    ['{"echo":"%66irst-pas', '{"echo":"[redacted]'],
    ['{"echo":"first-password', '{"echo":"[redacted]'],
  ])('%s is kept as %s', async (body, kept) => {
    expect(await bodyKept(body)).toBe(kept);
  });

  test('that ends within a password hides it, even if a shorter one is its beginning', async () => {
    const rows = ['pass', 'password123'].map((password) => ({ email: 'a@b.test', name: 'Ada', password }));
    const fetch = async () => new Response('echo password12', { status: 422 });
    const { participants } = createClient({ url: 'https://h.test' }, { fetch });
    const error = await failure(participants.import(rows), ExamServiceError);
    expect(Reflect.get(error, 'body')).toBe('echo [redacted]');
  });

  test.each([
    ['sl/ash"quote', '{"echo":"sl\\/ash\\', '{"echo":"[redacted]'],
    ['Zoë-pass', '{"echo":"Zo\\u00', '{"echo":"Zo\\u00'],
    ['Zoëlle-pass', '{"echo":"Zo\\u00eblle\\u002', '{"echo":"[redacted]'],
    ['Anaïs-pass', 'echo Ana%C3', 'echo [redacted]'],
    ['Anaïs-pass', 'echo Ana%C3%A', 'echo [redacted]'],
    ['abcd&efgh', 'echo abcd&am', 'echo [redacted]'],
    ['abcd&efgh', 'echo abcd&#3', 'echo [redacted]'],
    ['abcd&efgh', 'echo abcd%2', 'echo [redacted]'],
    ['abcd&efgh', 'echo abcd%252', 'echo [redacted]'],
    ['abcd&efgh', 'echo abcd%41', 'echo abcd%41'],
    ['abcd&efgh', 'echo abcde\\', 'echo abcde\\'],
  ])('hides the password %s when one of its characters is cut: %s', async (password, body, kept) => {
    expect(await bodyKept(body, password)).toBe(kept);
  });

  test('is redacted in one pass, although a string in it is cut off after many escaped quotes', async () => {
    const body = `{"echo":"${secret}","trace":"${'\\"'.repeat(500_000)}`;
    // Each would take seconds if the rest were searched again for every quote in it.
    for (let time = 1; time <= 5; time += 1) {
      expect(await bodyKept(body)).toMatch(/^\{"echo":"\[redacted\]","trace":"\\"/);
    }
  });

  test('keeps a message that ends like the beginning of a secret, as it came whole', async () => {
    const error = await importing(secret, json({ message: 'Not the first-pas' }));
    expect(error).toMatchObject({ serviceMessage: 'Not the first-pas' });
  });
});

test('a byte order mark in a password does not keep it from being found in a URL', async () => {
  const password = 'first\uFEFFpassword';
  expect(await bodyKept(`at /?q=${encodeURIComponent(password)}`, password)).toBe('at /?q=[redacted]');
});

describe('in JSON', () => {
  test.each([
    ['{"password":"password"}', 'password', '{"password":"[redacted]"}'],
    ['{"password" : "password"}', 'password', '{"password" : "[redacted]"}'],
    ['{"user.password":"user.password"}', 'password', '{"user.password":"user.[redacted]"}'],
    ['{"a":"\\u00e9 \\/","b":1}', secret, '{"a":"\\u00e9 \\/","b":1}'],
    ['{"a":"\\q first-password"}', secret, '{"a":"\\\\q [redacted]"}'],
    ['[{"id":12345},"12345"]', '12345', '[{"id":12345},"[redacted]"]'],
    ['12345', '12345', '[redacted]'],
    ['12345 {}', '12345', '[redacted] {}'],
    ['[first-password "x"]', secret, '[[redacted] "x"]'],
    ['["x" first-password]', secret, '["x" [redacted]]'],
    ['{"a":"users.0.name"}', 'users.0.name', '{"a":"[redacted]"}'],
  ])('%s with the password %s is kept as %s', async (body, password, kept) => {
    expect(await bodyKept(body, password)).toBe(kept);
  });
});

describe('a path of the request is left whole', () => {
  const padding = ' and so on'.repeat(30);
  test.each([
    ['participants', 'participants.0.email is taken'],
    ['password', 'participants.0.password is weak'],
    ['password', `participants.0.password is weak${padding}`],
    ['password', `Row 0${padding} participants.0.password is weak`],
    ['pass', 'participants.0.password_hash.salt is missing'],
  ])('where the password is %s: %s', async (password, message) => {
    const error = await importing(password, json({ message }));
    expect(error).toMatchObject({ serviceMessage: message });
  });

  test('but not a name that only looks like a part of one', async () => {
    const error = await importing('pass.word', json({ message: 'x.pass.word, pass.word.0, pass.word' }));
    expect(error).toMatchObject({ serviceMessage: 'x.[redacted], [redacted].0, [redacted]' });
  });

  test('and so is the name of a field, though it is no path with an index', async () => {
    const error = await importing('password', json({ errors: { 'address.password': ['is weak'] } }));
    expect(error).toMatchObject({ fieldErrors: { 'address.password': ['is weak'] } });
  });
});

describe('a secret in another notation', () => {
  test.each([
    ['first%2Dpassword and first-password', secret, '[redacted] and [redacted]'],
    ['a %7E%66irst-password%7E z', secret, 'a %7E[redacted]%7E z'],
    ['pass%F0%9F%98%80!', 'pass😀', '[redacted]!'],
    ['pass&#128512;!', 'pass😀', '[redacted]!'],
    ['&#x110000; first&#x2d;password', secret, '&#x110000; [redacted]'],
    ['trimmed: padded-pass.', '  padded-pass ', 'trimmed: [redacted].'],
    ['%C3%A9%C3%A0 zo%C3%AB-pass', 'zoë-pass', '%C3%A9%C3%A0 [redacted]'],
  ])('%s with the password %s is kept as %s', async (body, password, kept) => {
    expect(await bodyKept(body, password)).toBe(kept);
  });

  test.each(['', 'u', 'us', 'use'])('in base64 behind %j', async (before) => {
    const kept = await bodyKept(`Basic ${btoa(`${before}${secret}:`)}!`);
    expect(kept).toMatch(/^Basic [\w+/]{0,4}\[redacted\][\w+/]{0,4}={0,2}!$/);
  });

  test('is not looked for where it is too short to be one, not even in base64', async () => {
    expect(await bodyKept('ab, YWI= and a', 'ab')).toBe('ab, YWI= and a');
  });
});

test('only what is called a password is taken for one', async () => {
  const body = { email: 'a@b.test', password: { hint: 'a colour' }, more: [{ password: 'deep-secret' }] };
  const fetch = async () => new Response(JSON.stringify(body), { status: 400 });
  const client = createClient({ url: 'https://h.test' }, { fetch });
  const call = client.request({ method: 'POST', path: '/custom', auth: 'clientKey', body });
  const error = await failure(call, ExamServiceError);
  expect(JSON.parse(String(Reflect.get(error, 'body')))).toEqual({
    ...body,
    more: [{ password: '[redacted]' }],
  });
});

describe('messages and names of fields', () => {
  test.each([
    [2_000, 200],
    [2_001, 201],
  ])('of %i and %i characters are kept up to 2,000 and 200', async (length, nameLength) => {
    const [message, name] = ['x'.repeat(length), 'n'.repeat(nameLength)];
    const error = await importing(secret, json({ message, errors: { [name]: ['y'] } }));
    const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
    expect(error).toMatchObject({
      serviceMessage: cut(message, 2_000),
      fieldErrors: { [cut(name, 200)]: ['y'] },
    });
  });
});

describe('the cause of a failed connection', () => {
  const causeOf = async (cause: Error) => (await importing(secret, cause)).cause as Error;

  test.each<[string, object]>([
    ['nothing more', {}],
    ['null', { socket: null }],
    ['numbers and truth values', { errno: -111, fatal: true }],
    ['plain errors', { errors: [new Error('a'), new Error('b')] }],
    ['a plain cause', { cause: new Error('a') }],
  ])('is kept as it is if it holds %s', async (_, fields) => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), fields);
    expect(await causeOf(cause)).toBe(cause);
  });

  test.each<[string, object]>([
    ['an object', { request: { headers: {} } }],
    ['a function', { resend: () => secret }],
    [
      'an error that is not plain among plain ones',
      { errors: [new Error('a'), Object.assign(new Error('b'), { at: {} })] },
    ],
    ['something that is no error among errors', { errors: [new Error('a'), { sent: secret }] }],
  ])('is reduced to what is safe to print if it holds %s', async (_, fields) => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), fields);
    const reduced = await causeOf(cause);
    expect(reduced).not.toBe(cause);
    expect(reduced).toMatchObject({ name: 'Error', message: 'connect ECONNREFUSED' });
    expect(Object.keys(reduced)).toEqual(['name']);
    expect('cause' in reduced).toBe(false);
  });

  test('shows nothing of an error far down its causes', async () => {
    let cause = Object.assign(new Error('the first'), { sent: { password: secret } });
    for (let depth = 0; depth < 8; depth += 1)
      cause = Object.assign(new Error('a later one', { cause }), { sent: { password: '' } });
    let plain: Error = cause;
    for (let depth = 0; depth < 8; depth += 1) plain = new Error('failed', { cause: plain });
    expect(inspect(await causeOf(plain), { depth: 30 })).not.toContain(secret);
  });

  test.each(['name', 'message'])('hides a secret in an inherited %s', async (field) => {
    class Telling extends Error {}
    Object.defineProperty(Telling.prototype, field, { value: `told ${secret}` });
    const cause = new Telling();
    expect(String(cause)).toContain(secret);
    expect(String(await causeOf(cause))).toContain('told [redacted]');
  });
});

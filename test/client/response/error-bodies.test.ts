import { describe, expect, test } from 'vitest';
import { ApiError, UnprocessableEntityError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { rejection } from '../../helpers/client.ts';
import type { ServiceResponse } from '../../helpers/server.ts';

/** The error of a call that gets this response. */
async function failWith(response: ServiceResponse): Promise<ApiError> {
  await using service = await connect({ status: 422, ...response });
  const error = await rejection(service.client.participants.update(31, { name: 'Sari' }));
  if (!(error instanceof ApiError)) throw error;
  return error;
}

test('a long message is whole in `serviceMessage`, and cut to 500 characters in the message', async () => {
  const text = 'word '.repeat(150).trim();
  const error = await failWith({ body: { message: text } });
  expect(error.serviceMessage).toBe(text);
  expect(error.message).toContain(`with 422: ${text.slice(0, 499)}.`);
  expect(error.message).not.toContain(text.slice(0, 503));
});

const messages: ReadonlyArray<readonly [form: string, body: unknown, message: string]> = [
  ['message', { message: 'The exam is full.' }, 'The exam is full.'],
  ['message in an envelope', { success: false, message: 'Client inactive', data: null }, 'Client inactive'],
  ['message with blanks around it', { message: '  Not active \n' }, 'Not active'],
  [
    'detail',
    { type: 'about:blank', title: 'Conflict', detail: 'Already there', status: 409 },
    'Already there',
  ],
  ['title', { type: 'about:blank', title: 'Conflict', status: 409 }, 'Conflict'],
  ['detail beside an empty message', { message: '', detail: 'Already there' }, 'Already there'],
  ['msg', { msg: 'Already there', title: 'Conflict' }, 'Already there'],
  ['detail before msg', { msg: 'Conflict', detail: 'Already there' }, 'Already there'],
  ['msg of an error', { error: { code: 'E1', msg: 'Not allowed' } }, 'Not allowed'],
  ['error as text', { error: 'invalid_client' }, 'invalid_client'],
  ['error as an object', { error: { code: 'E1', message: 'Not allowed' } }, 'Not allowed'],
  ['error: true beside a message', { error: true, message: 'Not allowed' }, 'Not allowed'],
  ['errors as text', { errors: 'Not allowed' }, 'Not allowed'],
];

describe('the message of an error is read from', () => {
  test.each(messages)('%s', async (_, body, message) => {
    const error = await failWith({ body });
    expect(error.serviceMessage).toBe(message);
    expect(error.message).toContain(`failed with 422: ${message.replace(/\.$/, '')}.`);
    expect(error.fieldErrors).toEqual({});
  });
});

const silent: ReadonlyArray<readonly [what: string, body: unknown]> = [
  ['an empty message', { message: '' }],
  ['a blank message', { message: '  ' }],
  ['a message of null', { message: null }],
  ['a message that is no text', { message: 42 }],
  ['an empty object', {}],
  ['an empty array', []],
  ['an exception that the service shows', { exception: 'QueryException', file: '/srv/app.php', trace: [] }],
];

describe('the status text stands in for the message of', () => {
  test.each(silent)('%s', async (_, body) => {
    const error = await failWith({ statusText: 'Unprocessable Thing', body });
    expect(error.serviceMessage).toBeNull();
    expect(error.message).toContain('failed with 422: Unprocessable Thing.');
    expect(error.message).not.toContain('sari');
    expect(error.fieldErrors).toEqual({});
  });
});

const email = ['The participants.0.email field must be a valid email address.'];
const name = ['Too short.', 'Only letters.'];
const dotted = { 'participants.0.email': email, 'participants.11.name': name };

const bags: ReadonlyArray<readonly [form: string, body: unknown, fieldErrors: unknown]> = [
  ['errors by field', { message: 'The given data was invalid.', errors: dotted }, dotted],
  ['errors in an envelope', { success: false, message: 'Validation error', errors: dotted }, dotted],
  ['a single text for a field', { message: 'm', errors: { email: 'required' } }, { email: ['required'] }],
  ['a list of texts', { success: false, message: 'm', errors: ['a', 'b'] }, { '': ['a', 'b'] }],
  ['a bare bag', dotted, dotted],
  [
    'a list of texts as the message',
    { message: name, error: 'Unprocessable', statusCode: 422 },
    { '': name },
  ],
  ['a list of texts as the detail', { detail: name }, { '': name }],
  [
    'texts that begin with their field',
    { message: ['participants.3.email is taken', 'email is taken'] },
    { 'participants.3.email': ['participants.3.email is taken'], '': ['email is taken'] },
  ],
  [
    'records with their field under loc, field, path or param',
    {
      errors: [
        { loc: ['body', 'participants', 1, 'email'], msg: 'a', type: 'value_error' },
        { field: 'participants.2.name', message: 'b' },
        { path: ['url'], detail: 'c', value: 'x' },
        { param: 'events', msg: 'd', location: 'body' },
      ],
    },
    { 'participants.1.email': ['a'], 'participants.2.name': ['b'], url: ['c'], events: ['d'] },
  ],
  [
    'records with their field under propertyPath or pointer, or their text under defaultMessage',
    {
      errors: [
        { propertyPath: 'data[url]', message: 'a', codes: ['E'] },
        { pointer: '/events/0', detail: 'b' },
        { field: '[2].name', defaultMessage: 'c' },
        { path: ['participants', '[3]', 'email'], message: 'd' },
      ],
    },
    { 'data.url': ['a'], 'events.0': ['b'], '2.name': ['c'], 'participants.3.email': ['d'] },
  ],
  [
    'names in brackets',
    { 'participants[3].email': name, 'events[]': name },
    { 'participants.3.email': name, 'events[]': name },
  ],
  ['details of an error', { error: { message: 'm', details: { name } } }, { name }],
  ['issues below the data', { data: { issues: [{ msg: 'a', loc: ['name'] }] } }, { name: ['a'] }],
  [
    'details before issues and violations',
    { violations: { a: name }, issues: { b: name }, details: { c: name } },
    { c: name },
  ],
  ['details before a list of messages', { message: ['m'], details: { name } }, { name }],
  ['errors before details', { details: { name }, error: { errors: { email } } }, { email }],
  ['records without a field', { errors: [{ message: 'a', code: 5 }] }, { '': ['a'] }],
  ['records below their field', { errors: { email: [{ message: 'a', code: 'E' }] } }, { email: ['a'] }],
  [
    'a map for each row',
    { participants: [{}, { email, address: { city: name } }] },
    { 'participants.1.email': email, 'participants.1.address.city': name },
  ],
  ['a map of indexes', { events: { '0': name } }, { 'events.0': name }],
  ['lists in a list', { errors: { rows: [['a'], ['b', 'c']] } }, { 'rows.0': ['a'], 'rows.1': ['b', 'c'] }],
  [
    'errors beside a message of the same form',
    { message: ['other'], errors: { email: ['a'] } },
    { email: ['a'] },
  ],
  ['a bare list of texts', email, { '': email }],
  ['the bag as the message', { status: false, message: dotted }, dotted],
  ['the bag as the data', { success: false, message: 'Validation Error.', data: dotted }, dotted],
  ['the bag as the error', { error: dotted }, dotted],
  ['errors of problem+json', { title: 'Invalid', detail: 'Two fields', errors: dotted }, dotted],
  [
    'errors with parts that are no texts',
    { message: 'm', errors: { a: ['x', 5, null], b: [], c: {} } },
    { a: ['x'] },
  ],
  ['an empty list', { message: 'm', errors: [] }, {}],
  ['a list of objects', { message: 'm', errors: [{ code: 5 }] }, {}],
  ['null', { message: 'm', errors: null }, {}],
  ['errors below the data', { data: { errors: { name } } }, { name }],
  ['a body behind text', 'Warning: x [1]\n{\n  "errors": {\n    "name": ["a"]\n  }\n}', { name: ['a'] }],
  ['maps four deep', { errors: { a: { b: { c: { d: 'x' } } } } }, { 'a.b.c.d': ['x'] }],
  ['maps five deep, which is too deep', { errors: { a: { b: { c: { d: { e: 'x' } } } } } }, {}],
];

describe('the messages of fields are read from', () => {
  test.each(bags)('%s', async (_, body, fieldErrors) => {
    const error = await failWith({ body });
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error.fieldErrors).toEqual(fieldErrors);
  });
});

test.each<[what: string, body: unknown, message: string]>([
  ['a bare bag', dotted, String(email[0])],
  ['errors without a message', { errors: { name: [' ', ...name] } }, 'Too short.'],
  ['errors beside the name of the status', { message: name, error: 'Unprocessable Entity' }, 'Too short.'],
])('the first text about a field is the message of %s', async (_, body, message) => {
  expect(await failWith({ body })).toMatchObject({ serviceMessage: message });
});

const row = { email: 'sari@example.test', name: 'Sari', password: 'long-secret', tags: [] };

test.each<[what: string, body: object]>([
  ['rows that are echoed', { message: 'Duplicate', data: [row, row] }],
  ['rows that are echoed by name', { participants: [row], message: 'Duplicate' }],
  ['rows among the errors', { message: 'Duplicate', errors: [row, row] }],
  ['a problem document', { type: 'about:blank', title: 'Conflict', detail: 'Taken', status: 409 }],
  ['a problem with parameters', { title: 'Invalid', 'invalid-params': [{ name: 'age', reason: 'is low' }] }],
  [
    'a trace',
    { message: 'SQL', exception: 'QueryException', trace: [{ file: 'a.php', line: 3, args: ['secret'] }] },
  ],
  ['details that are a map of texts', { message: 'm', details: { email: 'sari@example.test' } }],
  ['issues that are rows', { message: 'm', issues: [row] }],
  ['violations with a number', { message: 'm', violations: { name, count: 2 } }],
  ['a trace of lines', { error: { message: 'SQL', stack: ['at a', 'at b'] } }],
  ['a value that was rejected', { message: [{ property: 'email', value: 'x', constraints: { is: 'no' } }] }],
])('no messages of fields are made of %s', async (_, body) => {
  expect((await failWith({ body })).fieldErrors).toEqual({});
});

test('nothing but its message is read of a record about a field', async () => {
  const error = await failWith({
    body: { detail: [{ msg: 'Invalid', loc: [{ toString: 1 }], input: row }] },
  });
  expect(error.fieldErrors).toEqual({ '': ['Invalid'] });
});

test.each([
  ['with fields of other types', { email: ['taken'], count: 5 }],
  ['with lists of numbers', { ids: [1, 2] }],
  ['with lists of texts and numbers', { ids: ['a', 2] }],
  ['with empty lists', { ids: [], names: ['a'] }],
  ['that is a list of texts and numbers', ['a', 2]],
])('data %s is not taken for messages of fields', async (_, data) => {
  expect((await failWith({ body: { message: 'Duplicate', data } })).fieldErrors).toEqual({});
});

test('a record in an error body is not taken for messages of fields', async () => {
  const error = await failWith({ body: { message: 'Duplicate', data: { email: 'sari@example.test' } } });
  expect(error.fieldErrors).toEqual({});
});

test('a byte order mark before the JSON does no harm', async () => {
  expect((await failWith({ body: '\uFEFF{"message":"Not active"}' })).serviceMessage).toBe('Not active');
});

test('fields may have the names of what every object has', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const errors = Object.fromEntries(names.map((name) => [name, ['is not allowed']]));
  const error = await failWith({ body: { message: 'Invalid', errors } });
  expect(error).toMatchObject({ name: 'UnprocessableEntityError', outcome: 'rejected' });
  expect(Object.entries(error.fieldErrors)).toEqual(names.map((name) => [name, ['is not allowed']]));
});

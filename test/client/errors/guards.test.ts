import { expect, test } from 'vitest';
import { ApiError, isApiError, isExamServiceError } from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

test('an error without a response is an error of the package, but no ApiError', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const error = await rejection(createClient(nowhere, { fetch }).exams.list());
  expect(isExamServiceError(error)).toBe(true);
  expect(isApiError(error)).toBe(false);
});

const lookalike = Object.assign(new Error('404'), {
  name: 'NotFoundError',
  code: 'not_found',
  status: 404,
  fieldErrors: {},
});

test.each([
  ['a DOMException named like one of ours', new DOMException('late', 'TimeoutError')],
  ['an error with our names and fields', lookalike],
  ['a plain object', { ...lookalike }],
  ['an object with the brand that is no error', { [Symbol.for('exam-service-sdk.error')]: true }],
  ['a text', 'NotFoundError'],
  ['null', null],
  ['undefined', undefined],
])('%s does not pass the guards', (_, value) => {
  expect(isExamServiceError(value)).toBe(false);
  expect(isApiError(value)).toBe(false);
});

test('the brand of an error is not printed', async () => {
  await using server = startService({ status: 404, body: {} });
  const error = await failure(createClient(server).exams.list(), ApiError);
  expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
});

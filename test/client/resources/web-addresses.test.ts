import { expect, test } from 'vitest';
import { responseSchemas } from '../../../src/index.ts';

test.each<readonly [address: string, read: string | null]>([
  ['https://exam.test', 'https://exam.test'],
  ['http://exam.test/take/1?token=a%20b#start', 'http://exam.test/take/1?token=a%20b#start'],
  ['HTTPS://Exam.Test/Take', 'HTTPS://Exam.Test/Take'],
  ['https://user:word@exam.test:8443/', 'https://user:word@exam.test:8443/'],
  ['https://prüfung.test/ä', 'https://prüfung.test/ä'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]/take', 'http://[::1]/take'],
  ['http://localhost', 'http://localhost'],
  ['  https://exam.test/take \n', 'https://exam.test/take'],
  ['https://exam.test/ta\nke', 'https://exam.test/take'],
  ['https://exam.test/a b', 'https://exam.test/a b'],
  ['https:/exam.test', null],
  ['https:exam.test', null],
  ['//exam.test/take', null],
  ['/take/1', null],
  ['exam.test/take', null],
  ['ftp://exam.test', null],
  ['javascript:alert(1)', null],
  ['https://', null],
  ['https://exam.test:99999', null],
  ['', null],
])('the address %j is read as %j', (url, read) => {
  const issue = { path: ['url'], message: 'must be an absolute http or https URL' };
  expect(responseSchemas.examLink['~standard'].validate({ url })).toMatchObject(
    read === null ? { issues: [issue] } : { value: { url: read } },
  );
});

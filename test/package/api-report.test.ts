import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiReport, codeEntries } from './api-report.ts';

const reports = new URL('../../docs/api-report/', import.meta.url);

test.each(codeEntries())(
  '$name exports what its report says; `npm run api` writes the report anew',
  async ({ report, entry }) => {
    await expect(await apiReport(entry)).toMatchFileSnapshot(new URL(report, reports).pathname);
  },
);

test('no report is left of an entry that is gone', () => {
  const known = codeEntries().map(({ report }) => report);
  expect(readdirSync(reports).filter((file) => !known.includes(file))).toEqual([]);
});

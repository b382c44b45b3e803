import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { renderCoverage } from '../../scripts/coverage/generate.ts';
import { placeOfRule, placeOfTest, pointerOf, resolvePointer } from '../../scripts/coverage/places.ts';

const root = new URL('../../', import.meta.url);

test('docs/coverage.md is what the claims and their places make: `npm run coverage-table` writes it', async () => {
  expect(await readFile(new URL('docs/coverage.md', root), 'utf8')).toBe(await renderCoverage());
});

describe('a place that is not there is refused:', () => {
  test('a rule', async () => {
    await expect(placeOfRule(root, 'options.ts noSuchName')).rejects.toThrow(
      'src/testing/emulator/options.ts does not hold noSuchName.',
    );
    await expect(placeOfRule(root, 'no-such-file.ts x')).rejects.toThrow('ENOENT');
  });

  test('a test', async () => {
    await expect(placeOfTest(root, 'docs/coverage a test that nobody wrote')).rejects.toThrow(
      'test/docs/coverage.test.ts has no test: a test that nobody wrote.',
    );
  });

  test('a place in openapi.json', () => {
    const document = { paths: { '/exams': { get: { responses: {} } } } };
    expect(pointerOf('get /exams responses/200')).toBe('/paths/~1exams/get/responses/200');
    expect(() => resolvePointer(document, '/paths/~1exams/get/responses/200')).toThrow(
      'openapi.json has nothing at /paths/~1exams/get/responses/200.',
    );
  });
});

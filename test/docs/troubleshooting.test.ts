import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../console/browser.ts';
import { longTest } from '../helpers/long-test.ts';
import { documents } from './documents.ts';
import { commandLineSymptoms } from './symptoms/command-line.ts';
import { dataSymptoms } from './symptoms/data.ts';
import { optionSymptoms } from './symptoms/options.ts';
import { pageSymptoms } from './symptoms/page.ts';
import { receiverSymptoms } from './symptoms/receivers.ts';
import { requestSymptoms } from './symptoms/requests.ts';

const symptoms = {
  ...optionSymptoms,
  ...requestSymptoms,
  ...dataSymptoms,
  ...receiverSymptoms,
  ...commandLineSymptoms,
};
const { text = '' } = documents.find(({ name }) => name === 'docs/troubleshooting.md') ?? {};
const rows = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, words = '']) => words);

describe('troubleshooting', () => {
  test('has a row for each symptom that is provoked here, and no other', () => {
    const provoked = Object.keys({ ...symptoms, ...pageSymptoms });
    expect(rows.toSorted()).toEqual(provoked.toSorted());
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  test.each(Object.entries(symptoms))('lists what a user really sees: %s', async (words, provoke) => {
    expect(await provoke()).toContain(words);
  });

  longTest.skipIf(!hasBrowser).each(Object.entries(pageSymptoms))(
    'lists what a page really shows, in Chromium: %s',
    async (words, provoke) => {
      expect(await provoke()).toContain(words);
    },
  );
});

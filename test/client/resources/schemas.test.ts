import { describe, expect, test } from 'vitest';
import { responseSchemas } from '../../../src/index.ts';
import { exam, examResult, participant } from '../../fixtures/responses/records.ts';
import { delivery, endpoint } from '../../fixtures/responses/webhooks.ts';

const samples: readonly (readonly [name: keyof typeof responseSchemas, sample: object, read: object])[] = [
  ['participant', participant, participant],
  ['exam', exam, exam],
  ['examResult', examResult, { ...examResult, score: 87.5 }],
  [
    'examLink',
    { url: 'https://exam.example.test/t/1', extra: 1 },
    { url: 'https://exam.example.test/t/1', extra: 1 },
  ],
  ['webhookEndpoint', endpoint, endpoint],
  ['webhookDelivery', { ...delivery, payload: [] }, { ...delivery, payload: {} }],
];

describe('the schema', () => {
  test.each(samples)('%s reads data that came another way', async (name, sample, read) => {
    expect(await responseSchemas[name]['~standard'].validate(sample)).toEqual({ value: read });
  });

  test.each(samples)('%s rejects what is not an object', async (name) => {
    for (const value of [null, undefined, 'text', 5, []]) {
      const { issues } = await responseSchemas[name]['~standard'].validate(value);
      expect(issues?.length).toBeGreaterThan(0);
    }
  });
});

test('every schema is covered here', () => {
  expect(samples.map(([name]) => name).sort()).toEqual(Object.keys(responseSchemas).sort());
});

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { renderVectors } from '../../scripts/vectors/generate.ts';

const file = createRequire(import.meta.url).resolve('exam-service-sdk/webhook-vectors.json');
const published = await readFile(file, 'utf8');

test('webhook-vectors.json is what its cases and OpenSSL make: `npm run vectors` writes it', () => {
  expect(renderVectors()).toBe(published);
});

test('it holds at least 60 deliveries, each under a name of its own, and every verdict', () => {
  const { vectors } = JSON.parse(published);
  const names: readonly string[] = vectors.map(({ name }: { name: string }) => name);
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
  const verdicts = new Set(vectors.map(({ verdict }: { verdict: string }) => verdict));
  expect([...verdicts].sort()).toEqual([
    'accepted',
    'header_malformed',
    'header_missing',
    'signature_mismatch',
    'timestamp_in_future',
    'timestamp_too_old',
  ]);
});

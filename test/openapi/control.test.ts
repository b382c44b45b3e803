import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createControlDocument } from '../../scripts/openapi/control.ts';
import { renderDocument } from '../../scripts/openapi/generate.ts';

/** The description of the emulator's control interface. */

const name = 'docs/emulator-control.json';
const published = await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
const document = JSON.parse(published);

test('it is what the table of routes makes: `npm run openapi` writes it', async () => {
  expect(await renderDocument(name)).toBe(published);
});

test('it has every route, each with a description of its fields, and the guide names them all', async () => {
  const paths = Object.keys(Object(createControlDocument()).paths);
  expect(paths).toHaveLength(25);
  const guide = await readFile(new URL('../../docs/emulator.md', import.meta.url), 'utf8');
  expect(paths.filter((path) => !guide.includes(` ${path.replace('/__emulator', '')}\``))).toEqual([]);
  const finish =
    document.paths['/__emulator/exams/finish'].post.requestBody.content['application/json'].schema;
  expect(finish).toMatchObject({
    required: ['participant_id', 'exam_id'],
    additionalProperties: false,
    properties: { score: { type: ['number', 'null'], description: 'The score.' } },
  });
});

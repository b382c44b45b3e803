import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createControlDocument } from '../../scripts/openapi/control.ts';

/** The description of the emulator's control interface. */

const document = Object(createControlDocument());
const guide = await readFile(new URL('../../docs/emulator.md', import.meta.url), 'utf8');
const inputOf = (path: string) => document.paths[path].post.requestBody.content['application/json'].schema;

test('it has every route, each with a description of its fields, and the guide names them all', () => {
  const paths = Object.keys(document.paths);
  expect(paths).toHaveLength(25);
  expect(paths.filter((path) => !guide.includes(` ${path.replace('/__emulator', '')}\``))).toEqual([]);
  expect(inputOf('/__emulator/exams/finish')).toMatchObject({
    required: ['participant_id', 'exam_id'],
    additionalProperties: false,
    properties: { score: { type: ['number', 'null'], description: 'The score.' } },
  });
});

test('the guide names every field of a row of a seed, and no other', () => {
  const parts = Object.entries<{ items?: unknown; anyOf?: unknown[] }>(
    inputOf('/__emulator/seed').properties,
  );
  const known = parts.map(([part, { items, anyOf = [] }]) => {
    const row = Object(items ?? Object(anyOf[1]).items);
    return [part, Object.keys(row.properties)];
  });
  const [, table = ''] = /^\| part \| fields of a row \|\n\|[-|]+\n((?:\|.*\n)+)/m.exec(guide) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, part, fields = '']) => [
    part,
    // Defaults stand in brackets.
    [...fields.replaceAll(/\(.*?\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]);
  expect(rows).toEqual(known);
});

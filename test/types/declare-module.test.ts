import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram, errorsOf } from '../helpers/declarations.ts';

// The same file is compiled against the packed package by every supported TypeScript, in test/runtimes.
const text = readFileSync(new URL('../runtimes/types/declare-module.ts', import.meta.url), 'utf8');
const [declarations = '', uses = ''] = text.split(/^\/\/ What they are for\n/m);
const imports = declarations.split('\n').filter((line) => line.startsWith('import '));

test('fields that are declared for records and payloads are those of what calls and deliveries give', () => {
  expect(errorsOf(createProgram({ all: text }), 'all')).toEqual([]);
});

test('they may stand in a file of declarations that imports the entries', () => {
  const program = createProgram({ 'declared.d': declarations, uses: `${imports.join('\n')}\n${uses}` });
  expect(errorsOf(program, 'uses')).toEqual([]);
});

test('without them each use is an error', () => {
  const errors = errorsOf(createProgram({ uses: `${imports.join('\n')}\n${uses}` }), 'uses');
  expect(errors).toHaveLength(uses.match(/^.*(?<!function )\bsame\(/gm)?.length ?? 0);
});

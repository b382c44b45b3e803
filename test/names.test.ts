import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { documentation } from '../scripts/openapi/documentation.ts';
import { operations as descriptors } from '../scripts/openapi/operations.ts';
import { operations as proxied } from '../src/proxy/operations.ts';
import { operationNames } from '../src/testing/emulator/service/operations.ts';
import { claims } from './emulator/claims.ts';
import { operations as cases } from './helpers/operations.ts';

describe('an operation of the client has a row', () => {
  const names = [...descriptors.keys()];
  // Its request is that of `webhooks.list`.
  const requested = names.filter((name) => name !== 'webhooks.availableEvents');

  test.each([
    ['in the cases of the tests', cases.map(({ name }) => name), names],
    ['in the documentation of OpenAPI', Object.keys(documentation), names],
    ['in the proxy', Object.keys(proxied), requested],
    ['in the emulator', operationNames, requested],
    [
      'among the claims about the service',
      Object.keys(claims).filter((name) => names.includes(name)),
      requested,
    ],
  ])('%s', (_where, rows, wanted) => {
    expect(rows.toSorted()).toEqual(wanted.toSorted());
  });
});

const root = join(import.meta.dirname, '..');

/** The names that a file declares at its top level. */
function declaredIn(file: string): string[] {
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  return statements.flatMap((statement) => {
    const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return named.flatMap((one) => {
      const { name }: { readonly name?: ts.Node } = one as ts.NamedDeclaration;
      return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
    });
  });
}

test('no name stands for three things in src', () => {
  const places = new Map<string, string[]>();
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    for (const name of new Set(declaredIn(file))) places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.get('ExamClient')).toHaveLength(1);
  expect([...places].filter(([, files]) => files.length >= 3)).toEqual([]);
});

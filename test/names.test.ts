import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

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

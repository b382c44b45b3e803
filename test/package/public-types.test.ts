import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';
import { expect, test } from 'vitest';
import { codeEntries } from './api-report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = codeEntries().map(({ entry }) => root + entry.types);
const program = ts.createProgram(entries, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  strict: true,
});
const checker = program.getTypeChecker();
const resolve = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Everything that users can import. */
const exported = new Set(
  entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    return module === undefined ? [] : checker.getExportsOfModule(module).map(resolve);
  }),
);

/** The statements of the built files that declare a symbol. */
const statementsOf = (symbol: ts.Symbol): ts.Node[] =>
  (symbol.declarations ?? [])
    .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
    .filter((node) => ts.isSourceFile(node.parent) && node.parent.fileName.startsWith(`${root}dist/`));

/** Visits what a user meets of a declaration: not the base class, whose members are those of the class. */
function visit(node: ts.Node, meet: (node: ts.Node) => void): void {
  if (ts.isHeritageClause(node)) return;
  meet(node);
  ts.forEachChild(node, (child) => visit(child, meet));
}

/** What the types of the proxy's calls are computed with from the table of its operations. */
const computing = ['Operations', 'PartOf', 'ValuesOf', 'NamesOf'];

test('every type that a public declaration names is exported', () => {
  const hidden = new Set<string>();
  for (const symbol of exported) {
    for (const statement of statementsOf(symbol)) {
      visit(statement, (node) => {
        const found = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
        if (!found || exported.has(resolve(found)) || computing.includes(found.name)) return;
        const isType = resolve(found).flags & ts.SymbolFlags.Type;
        if (!isType || statementsOf(resolve(found)).length === 0) return;
        hidden.add(`${symbol.name} names ${found.name}`);
      });
    }
  }
  expect([...hidden]).toEqual([]);
});

/**
 * Those that must not: a `fetch` of others takes what `FetchInit` holds, and their options do not take undefined; what a proxy forces and
 * is missing would give a page more than was meant.
 */
const neverUndefined = ['FetchInit', 'ProxyForced'];

test('every optional field takes undefined', () => {
  const strict = new Set<string>();
  const meet = (node: ts.Node): void => {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && isNeverUndefined(node))
      return;
    const isField =
      ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isMappedTypeNode(node);
    if (isField && node.questionToken?.kind === ts.SyntaxKind.QuestionToken && !takesUndefined(node.type))
      strict.add(node.getText().replaceAll(/\s+/g, ' '));
    ts.forEachChild(node, meet);
  };
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}dist/`));
  expect(files.length).toBeGreaterThanOrEqual(entries.length);
  for (const file of files) meet(file);
  expect([...strict]).toEqual([]);
});

const isNeverUndefined = ({ name }: ts.DeclarationStatement) =>
  name !== undefined && neverUndefined.includes(name.text);

function takesUndefined(node: ts.TypeNode | undefined): boolean {
  if (node === undefined) return true;
  const type = checker.getTypeFromTypeNode(node);
  const open = ts.TypeFlags.Undefined | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & open);
}

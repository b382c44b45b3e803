/** The public API of an entry as text, read from the built declarations: one declaration after another, without comments. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Entry {
  readonly import: { readonly types: string; readonly default: string };
}

/** The entries of package.json that hold code, and what a report of each is called. */
export function codeEntries(): { name: string; report: string; entry: Entry['import'] }[] {
  const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return Object.entries<Entry | string>(exports).flatMap(([path, entry]) =>
    typeof entry === 'string'
      ? []
      : {
          name: name + path.slice(1),
          report: `${path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')}.txt`,
          entry: entry.import,
        },
  );
}

const program = ts.createProgram(
  codeEntries().map(({ entry }) => root + entry.types),
  {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    // Only names are looked up; nothing is checked here.
    noLib: true,
  },
);
const checker = program.getTypeChecker();

const resolve = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

function exportsOf({ types }: Entry['import']): ts.Symbol[] {
  const source = program.getSourceFile(root + types);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`There is no ${types}: run \`npm run build\` first.`);
  return checker.getExportsOfModule(module);
}

/**
 * Everything that the entry exports, then whatever else these declarations mention; of what another entry exports the
 * name alone, since the report of that one has the rest.
 */
export async function apiReport(entry: Entry['import']): Promise<string> {
  const names = exportsOf(entry);
  const exported = new Set(names.map(resolve));
  const elsewhere = new Map(
    // Of several the first, which is the client.
    codeEntries()
      .toReversed()
      .flatMap(({ name, entry }) =>
        exportsOf(entry).map((symbol): [ts.Symbol, string] => [resolve(symbol), `${symbol.name} of ${name}`]),
      ),
  );
  const mentioned = new Set(exported);
  const others = new Set<string>();
  // A set gives what is added while it is gone through as well.
  for (const symbol of mentioned)
    for (const declaration of topLevel(symbol)) {
      const visit = (node: ts.Node): void => {
        const found = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
        if (found && topLevel(resolve(found)).length > 0) {
          const other = exported.has(resolve(found)) ? undefined : elsewhere.get(resolve(found));
          if (other === undefined) mentioned.add(resolve(found));
          else others.add(other);
        }
        ts.forEachChild(node, visit);
      };
      visit(declaration);
    }
  const renamed = names
    .filter((symbol) => symbol.name !== resolve(symbol).name)
    .map((symbol) => `export { ${resolve(symbol).name} as ${symbol.name} };`);
  const values = Object.keys(await import(root + entry.default)).sort();
  return [
    section('Values at run time', values),
    section('Exported', [...print([...exported]), ...renamed]),
    section(
      'Mentioned by these, and not exported',
      print([...mentioned].filter((symbol) => !exported.has(symbol))),
    ),
    ...(others.size > 0 ? [section('Exported by another entry', [...others].sort())] : []),
  ].join('\n');
}

/** What declares a symbol in the built files, as whole statements. */
function topLevel(symbol: ts.Symbol): ts.Node[] {
  return (symbol.declarations ?? [])
    .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
    .filter((node) => ts.isSourceFile(node.parent) && node.parent.fileName.startsWith(`${root}dist/`))
    .filter((node) => ts.isStatement(node));
}

const printer = ts.createPrinter({ removeComments: true });

function print(symbols: readonly ts.Symbol[]): string[] {
  return symbols
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((symbol) =>
      topLevel(symbol).map((node) =>
        printer
          .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
          .replace(/^(?:export )?(?:declare )?/, ''),
      ),
    );
}

const section = (title: string, lines: readonly string[]) => `// ${title}\n\n${lines.join('\n')}\n`;

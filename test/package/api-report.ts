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

/** Everything that the entry exports, then whatever else these declarations mention. */
export async function apiReport({ types, default: code }: Entry['import']): Promise<string> {
  const program = ts.createProgram([root + types], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    // Only names are looked up; nothing is checked here.
    noLib: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(root + types);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`There is no ${types}: run \`npm run build\` first.`);

  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const names = checker.getExportsOfModule(module);
  const exported = new Set(names.map(resolve));
  const mentioned = new Set(exported);
  // A set gives what is added while it is gone through as well.
  for (const symbol of mentioned)
    for (const declaration of topLevel(symbol)) {
      const visit = (node: ts.Node): void => {
        const found = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
        if (found && topLevel(resolve(found)).length > 0) mentioned.add(resolve(found));
        ts.forEachChild(node, visit);
      };
      visit(declaration);
    }
  const renamed = names
    .filter((symbol) => symbol.name !== resolve(symbol).name)
    .map((symbol) => `export { ${resolve(symbol).name} as ${symbol.name} };`);
  const values = Object.keys(await import(root + code)).sort();
  return [
    section('Values at run time', values),
    section('Exported', [...print([...exported]), ...renamed]),
    section(
      'Mentioned by these, and not exported',
      print([...mentioned].filter((symbol) => !exported.has(symbol))),
    ),
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

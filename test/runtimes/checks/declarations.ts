import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import type { Check } from '../lib/check.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';

/** Three ways in which an `any` gets into a declaration. */
const control = `
import type { Missing } from 'a-package-that-nobody-has';
export declare const written: any;
export declare const unresolved: Missing;
export declare function implied(parameter): void;
`;

/** The published declarations hold no `any`: neither written, nor from a type that cannot be found. */
export function declarationsCheck({ folder, installed }: ForeignProject): Check {
  return {
    table: 'Package',
    row: 'published declarations',
    columns: ['no any'],
    async run() {
      const controlFile = join(folder, 'control.d.ts');
      await writeFile(controlFile, control);
      const noticed = findAny([controlFile], folder);
      if (noticed.length !== 3)
        throw new Error(`Of three in the control, these were found: ${noticed.join(', ')}`);
      const dist = join(installed, 'dist');
      const files = (await readdir(dist, { recursive: true })).filter((name) => /\.d\.c?ts$/.test(name));
      const found = findAny(
        files.map((name) => join(dist, name)),
        folder,
      );
      return {
        'no any': files.length > 0 && found.length === 0 ? 'ok' : found.join('\n') || 'none is there',
      };
    },
  };
}

/** Where in the files a type is `any`. */
function findAny(files: readonly string[], folder: string): string[] {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(folder, '..', 'node_modules', '@types')],
  });
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} cannot be read.`);
    const visit = (node: ts.Node): void => {
      if (isAny(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${file}:${line + 1}: ${node.getText()}`);
      } else ts.forEachChild(node, visit);
    };
    ts.forEachChild(source, visit);
  }
  return found;
}

/** The `any` of the standard library, for what it hands to a callback. */
const ofTheLibrary = "PromiseRejectedResult['reason']";

function isAny(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isIndexedAccessTypeNode(node) && node.getText() === ofTheLibrary) return false;
  const untyped = ts.isParameter(node) && node.type === undefined;
  // The parts of a template are nodes of a type without being types.
  const isType = ts.isTypeNode(node) && !ts.isTemplateLiteralTypeSpan(node);
  if (!isType && !untyped) return false;
  return (checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any) !== 0;
}

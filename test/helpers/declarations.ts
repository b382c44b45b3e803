// Programs of users over the built declarations: what the compiler and an editor say of them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

if (!existsSync(`${root}dist/index.d.ts`))
  throw new Error('There are no declarations: run `npm run build` before this test.');

/** A user's, apart from `exactOptionalPropertyTypes`, which few set. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Here a program finds the package by its name. Nothing is written. */
const pathOf = (name: string) => `${root}test/${name}.ts`;

const parsed = new Map<string, ts.SourceFile | undefined>();
const real = ts.createCompilerHost(options);

/** A program of these files, by name. What it imports is parsed once for all programs. */
export function createProgram(
  files: Readonly<Record<string, string>>,
  further: ts.CompilerOptions = {},
): ts.Program {
  const virtual = new Map(Object.entries(files).map(([name, text]) => [pathOf(name), text]));
  const host: ts.CompilerHost = {
    ...real,
    fileExists: (path) => virtual.has(path) || real.fileExists(path),
    readFile: (path) => virtual.get(path) ?? real.readFile(path),
    getSourceFile(path, version) {
      const text = virtual.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, version);
      if (!parsed.has(path)) parsed.set(path, real.getSourceFile(path, version));
      return parsed.get(path);
    },
  };
  return ts.createProgram([...virtual.keys()], { ...options, ...further }, host);
}

/** What the compiler says of a file: each error with its lines. */
export function errorsOf(program: ts.Program, name: string): string[] {
  const file = program.getSourceFile(pathOf(name));
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

/** How many types the compiler has to instantiate for these files. */
export function countInstantiations(files: Readonly<Record<string, string>>): number {
  const program = createProgram(files);
  for (const name of Object.keys(files)) {
    const errors = errorsOf(program, name);
    if (errors.length > 0) throw new Error(errors.join('\n'));
  }
  return program.getInstantiationCount();
}

/** An editor with one file open, whose text may be replaced. */
export function createEditor() {
  const path = pathOf('open-in-an-editor');
  let text = '';
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [path],
    getScriptVersion: (name) => (name === path ? String(version) : '1'),
    getScriptSnapshot(name) {
      const content = name === path ? text : real.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    fileExists: (name) => name === path || real.fileExists(name),
    readFile: (name) => (name === path ? text : real.readFile(name)),
  });
  /** Opens a program without its mark, and gives the place of the mark. */
  const open = (program: string): number => {
    const place = program.indexOf('|');
    text = program.slice(0, place) + program.slice(place + 1);
    version += 1;
    return place;
  };
  return {
    /** The names that are offered at the mark `|`. */
    completionsAt(program: string): string[] {
      const { entries = [] } = service.getCompletionsAtPosition(path, open(program), {}) ?? {};
      return entries.map(({ name }) => name);
    },
    /** What is shown of the name that ends at the mark `|`. */
    hoverAt(program: string): string {
      const info = service.getQuickInfoAtPosition(path, open(program) - 1);
      return ts.displayPartsToString(info?.displayParts);
    },
    /** The comment that is shown of the name that ends at the mark `|`. */
    commentAt(program: string): string {
      const info = service.getQuickInfoAtPosition(path, open(program) - 1);
      return ts.displayPartsToString(info?.documentation);
    },
  };
}

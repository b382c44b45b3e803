import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folders = ['src', 'examples', 'scripts', 'bench', 'test/mutation'];
const repository = join(import.meta.dirname, '../..');

/** Whether there is a comment above the first statement, or above the first one after the imports. */
function opensWithComment(file: string): boolean {
  const source = readFileSync(join(repository, file), 'utf8');
  const { text, statements } = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const openings = [statements[0], statements.find((statement) => !ts.isImportDeclaration(statement))];
  return openings.some(
    (statement) => statement !== undefined && ts.getLeadingCommentRanges(text, statement.pos) !== undefined,
  );
}

test.each(folders)('every source file of %s opens by saying what it is', (folder) => {
  const files = globSync(`${folder}/**/*.ts`, {
    cwd: repository,
    exclude: ['**/node_modules', '**/dist', '**/out'],
  });
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !opensWithComment(file))).toEqual([]);
});

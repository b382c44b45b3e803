import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Snippet, snippetsOf } from '../../scripts/site/snippets.ts';
import { repository } from './new-user.ts';

/** A text for users. */
export interface Document {
  /** Its path in the repository. */
  readonly name: string;
  readonly text: string;
  readonly snippets: readonly Snippet[];
  /** The block of another language that holds this. */
  block(language: string, holding: string): string;
}

function read(name: string): Document {
  const text = readFileSync(join(repository, name), 'utf8');
  return {
    name,
    text,
    snippets: snippetsOf(text),
    block(language, holding) {
      const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
      return blocks.map(([, inner = '']) => inner).find((inner) => inner.includes(holding)) ?? '';
    },
  };
}

export const readme = read('README.md');

/** All of them: the README first. */
export const documents: readonly Document[] = [
  readme,
  ...globSync(['AGENTS.md', 'docs/*.md', 'examples/**/README.md'], {
    cwd: repository,
    exclude: ['**/node_modules/**'],
  })
    .sort()
    .map(read),
];

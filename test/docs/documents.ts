import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './new-user.ts';

/** A block of TypeScript, and the output that is shown below it. */
export interface Snippet {
  readonly code: string;
  readonly output: string;
  /** The file that the paragraph above tells the reader to save it as. */
  readonly file: string | undefined;
}

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
  const snippets = [...text.matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map(
    ({ index, 1: code = '', 2: output = '' }) => {
      const [paragraph = ''] = text.slice(0, index).trimEnd().split('\n\n').slice(-1);
      return { code, output, file: /save this as `(.+?)`/i.exec(paragraph)?.[1] };
    },
  );
  return {
    name,
    text,
    snippets,
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

// The snippets of a document, and how they make programs: for the pages that run them and for the tests of what they print.

/** A block of TypeScript, and the output that is shown below it. */
export interface Snippet {
  readonly code: string;
  readonly output: string;
  /** The file that the paragraph above asks the reader to save it as. */
  readonly file: string | undefined;
  /** Whether it is a separate program; all others of a document make one together. */
  readonly isApart: boolean;
}

/** The program of the README to which its further snippets are appended. */
const firstCall = 'first-call.mjs';

export function snippetsOf(text: string): Snippet[] {
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map(
    ({ index, 1: code = '', 2: output = '' }) => {
      const [paragraph = ''] = text.slice(0, index).trimEnd().split('\n\n').slice(-1);
      return { code, output, file: /save this as `(.+?)`/i.exec(paragraph)?.[1] };
    },
  );
  const start = Math.max(
    0,
    blocks.findIndex(({ file }) => file === firstCall),
  );
  return blocks.map((block, index) => ({
    ...block,
    isApart: index < start || (index > start && block.file !== undefined),
  }));
}

/** A document that continues the README's first call, and says so, begins with its client. */
export function preludeOf(text: string, readme: string): string {
  if (!text.includes('README.md#first-call')) return '';
  const { code = '' } = snippetsOf(readme).find(({ file }) => file === firstCall) ?? {};
  return code.split('\n\n').slice(0, 2).join('\n');
}

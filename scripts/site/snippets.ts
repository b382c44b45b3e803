// The snippets of a document, and how they make programs: for the pages that run them and for the tests of what they print.

/** A block of TypeScript, and the output that is shown below it. */
export interface Snippet {
  readonly code: string;
  readonly output: string;
  /** The file that the paragraph above asks the reader to save it as. */
  readonly file: string | undefined;
}

export function snippetsOf(text: string): Snippet[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map(
    ({ index, 1: code = '', 2: output = '' }) => {
      const [paragraph = ''] = text.slice(0, index).trimEnd().split('\n\n').slice(-1);
      return { code, output, file: /save this as `(.+?)`/i.exec(paragraph)?.[1] };
    },
  );
}

/** Whether a snippet is a separate program; all others of a document make one together. */
export const isApart = ({ file }: Snippet, index: number): boolean => index > 0 && file !== undefined;

/** A document that continues the README's first call, and says so, begins with its client. */
export function preludeOf(text: string, readme: string): string {
  if (!text.includes('README.md#first-call')) return '';
  return snippetsOf(readme)[0]?.code.split('\n\n').slice(0, 2).join('\n') ?? '';
}

// Finds sections by what a reader types: MiniSearch does it, and this says what a word is and what comes first.
import MiniSearch, { type Query, type SearchResult } from 'minisearch';

/** A section of a page. */
export interface Entry {
  readonly url: string;
  /** The title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export type Found = SearchResult & Entry;

/** What readers type, and what the documents say. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  401: ['AuthenticationError'],
  429: ['RateLimitError'],
  backoff: ['retries'],
  cjs: ['CommonJS', 'require'],
  constructevent: ['verifyWebhook'],
  csp: ['Content-Security-Policy'],
  dedupe: ['duplicate', 'deduplicate', 'once'],
  esm: ['ES modules', 'import require'],
  retry: ['retries'],
  unwrap: ['verifyWebhook'],
};

/** Words, and the parts of names in camelCase. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\w+/g) ?? []).flatMap((word) => {
    const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
    return parts.length > 1 ? [word, ...parts] : [word];
  });

const isNumber = (word: string) => /^\d+$/.test(word);

export function makeSearch(entries: readonly Entry[]): (typed: string) => readonly Found[] {
  const index = new MiniSearch<Entry>({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      boost: { heading: 6, page: 3 },
      combineWith: 'AND',
      prefix: (word) => !isNumber(word),
      fuzzy: (word) => !isNumber(word) && word.length > 3 && 0.2,
      // What explains comes before what shows, and that before what lists.
      boostDocument: (url) => (/^(docs|index)/.test(url) ? 1 : url.startsWith('examples') ? 0.5 : 0.08),
    },
  });
  index.addAll(entries);

  return (typed) => {
    const queries = typed.split(/\s+/).filter(Boolean).map(queryOf);
    if (queries.length === 0) return [];
    const found = index.search({ queries }) as Found[];
    // A name, which is written like no word, finds what has it.
    const isName = /[A-Z]/.test(typed);
    const named = found.filter(({ heading }) => isName && heading.replace('()', '') === typed);
    return [...named, ...found.filter((entry) => !named.includes(entry))];
  };
}

function queryOf(word: string): Query {
  const queries = [word, ...(synonyms[word.toLowerCase()] ?? [])].map((words) => ({ queries: [words] }));
  return { combineWith: 'OR', queries: queries.map((query) => ({ combineWith: 'AND', ...query })) };
}

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
  breaking: ['changelog'],
  bun: ['runtimes', 'where tested'],
  cancel: ['abort'],
  certificate: ['certificate authorities'],
  cjs: ['CommonJS', 'require'],
  constructevent: ['verifyWebhook'],
  corporate: ['NO_PROXY', 'dispatcher'],
  cors: ['origins'],
  cron: ['night job', 'retries'],
  csp: ['Content-Security-Policy'],
  dedupe: ['duplicate', 'deduplicate', 'once'],
  deno: ['runtimes', 'where tested'],
  disabled: ['inactive', 'outage'],
  docker: ['container'],
  duplicate: ['once'],
  error: ['failed'],
  esm: ['ES modules', 'import require'],
  express: ['framework'],
  gdpr: ['personal data'],
  graceful: ['shut down'],
  link: ['assignments'],
  many: ['429'],
  memory: ['constant memory'],
  missed: ['outage', 'recoverEvents'],
  multiple: ['several'],
  nestjs: ['framework'],
  progress: ['onProgress'],
  prometheus: ['metrics'],
  replay: ['recoverEvents'],
  retry: ['retries'],
  sandbox: ['emulator'],
  shutdown: ['shut down', 'SIGTERM'],
  simulate: ['faults'],
  skew: ['timestamp'],
  timeout: ['client options'],
  too: ['429'],
  umlaut: ['Windows-1252', 'UTF'],
  unassign: ['assignments'],
  unwrap: ['verifyWebhook'],
  users: ['participants'],
  vitest: ['tests'],
  zod: ['undocumented fields'],
};

/** Words of a question that say nothing of what it is about. */
const isStopWord =
  /^(a|all|an|and|are|be|can|do|does|for|from|get|how|i|in|is|it|my|of|on|or|set|the|to|use|what|when|where|with)$/i;

/** Words, and the parts of names in camelCase. */
export const wordsOf = (text: string): string[] =>
  (text.match(/\w+/g) ?? []).flatMap((word) => {
    const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
    return parts.length > 1 ? [word, ...parts] : [word];
  });

/** What explains comes before what shows, and that before what lists. */
const weights: readonly (readonly [path: RegExp, weight: number])[] = [
  [/^api/, 0.08],
  [/^(AGENTS|CHANGELOG|github|docs\/command-line)/, 0.25],
  [/^examples/, 0.5],
];

const mostOfPage = 3;
const excerptLength = 150;

const isNumber = (word: string) => /^\d+$/.test(word);

export function makeSearch(entries: readonly Entry[]): (typed: string) => readonly Found[] {
  const index = new MiniSearch<Entry>({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      boost: { heading: 3, page: 3 },
      weights: { fuzzy: 0.1, prefix: 0.5 },
      combineWith: 'AND',
      prefix: (word) => !isNumber(word),
      fuzzy: (word) => !isNumber(word) && word.length > 4 && 0.2,
      boostDocument: (url) => weights.find(([path]) => path.test(url))?.[1] ?? 1,
    },
  });
  index.addAll(entries);

  return (typed) => {
    const words = typed.split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const telling = words.filter((word) => !isStopWord.test(word));
    const queries = (telling.length > 0 ? telling : words).map(queryOf);
    const all = index.search({ queries });
    // A whole message has words, such as ids and addresses, that no page has.
    const found = (all.length > 0 ? all : index.search({ queries, combineWith: 'OR' })) as Found[];
    // A name, which is written like no word, finds what has it, and a message the row that explains it.
    const isName = /[A-Z]/.test(typed);
    const named = found.filter(({ heading }) =>
      heading.includes(' ') ? typed.includes(heading) : isName && heading.replace('()', '') === typed,
    );
    return spread([...named, ...found.filter((entry) => !named.includes(entry))]);
  };
}

/** A page that says most about a word leaves room for others. */
function spread(found: readonly Found[]): Found[] {
  const shown = new Map<string, number>();
  return found.filter(({ url }) => {
    const [page = ''] = url.split('#');
    const count = (shown.get(page) ?? 0) + 1;
    shown.set(page, count);
    return count <= mostOfPage;
  });
}

/** The text around the first word that was found, in whole words. Every second piece is such a word. */
export function excerptOf({ text, terms }: Pick<Found, 'text' | 'terms'>): string[] {
  const words = new RegExp(`(\\b(?:${terms.join('|')})\\b)`, 'i');
  const at = text.search(words);
  const start = at < 60 ? 0 : text.indexOf(' ', at - 40) + 1;
  const isWhole = text.length <= start + excerptLength;
  const end = isWhole ? text.length : text.lastIndexOf(' ', start + excerptLength);
  const excerpt = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${isWhole ? '' : ' …'}`;
  return excerpt.split(new RegExp(words, 'gi'));
}

function queryOf(word: string): Query {
  const queries = [word, ...(synonyms[word.toLowerCase()] ?? [])].map((words) => ({ queries: [words] }));
  return { combineWith: 'OR', queries: queries.map((query) => ({ combineWith: 'AND', ...query })) };
}

// The search over all pages: an index made with the site, loaded when the field is entered, by a script since that works from
// files too.

/** A section of a page: address, title of the page, heading, text. */
export type Entry = readonly [url: string, page: string, heading: string, text: string];

declare global {
  interface Window {
    searchIndex?: readonly Entry[];
  }
}

const mostResults = 12;
const excerptLength = 150;

/** What a word counts that is the heading, is in it, in the title of the page, in the text. */
const weights = [12, 6, 3, 1];

/** Each word must begin a word of the entry. */
export function find(index: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().match(/[\w.]+/g) ?? [];
  if (words.length === 0) return [];
  const patterns = words.map((word) => new RegExp(`(?<![a-z0-9])${word.replaceAll('.', '\\.')}`, 'i'));
  const scored = index.flatMap((entry) => {
    const [url, page, heading, text] = entry;
    // What explains comes before what lists.
    let score = /^(api\/|CHANGELOG)/.test(url) ? 0 : 2;
    for (const [at, pattern] of patterns.entries()) {
      const isWhole = heading.toLowerCase().replace(/\W*$/, '') === words[at];
      const places = [isWhole, pattern.test(heading), pattern.test(page), pattern.test(text)];
      const found = weights[places.indexOf(true)];
      if (found === undefined) return [];
      score += found;
    }
    return [{ entry, score }];
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ entry }) => entry);
}

function excerpt(text: string, query: string): Node[] {
  const [word = ''] = query.toLowerCase().match(/[\w.]+/g) ?? [];
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = at < 60 ? 0 : text.indexOf(' ', at - 40) + 1;
  const shown = text.slice(start, start + excerptLength);
  const inner = shown.toLowerCase().indexOf(word);
  if (inner === -1) return [new Text(shown)];
  const mark = document.createElement('mark');
  mark.textContent = shown.slice(inner, inner + word.length);
  return [
    new Text((start > 0 ? '… ' : '') + shown.slice(0, inner)),
    mark,
    new Text(shown.slice(inner + word.length)),
  ];
}

export function setUpSearch(root: URL): void {
  const form = document.querySelector<HTMLFormElement>('form[role=search]');
  const field = form?.querySelector('input');
  const results = document.getElementById('results');
  const status = document.getElementById('found');
  if (!form || !field || !results || !status) return;
  form.hidden = false;

  function show(): void {
    const query = field?.value.trim() ?? '';
    const found = find(window.searchIndex ?? [], query);
    const items = found.slice(0, mostResults).map(([url, page, heading, text]) => {
      const item = document.createElement('li');
      const link = item.appendChild(document.createElement('a'));
      link.href = new URL(url, root).href;
      const title = link.appendChild(document.createElement('strong'));
      title.textContent = heading === page ? page : `${page}: ${heading}`;
      link.appendChild(document.createElement('span')).append(...excerpt(text, query));
      return item;
    });
    results?.replaceChildren(...items);
    results?.toggleAttribute('hidden', items.length === 0);
    if (status) status.textContent = query === '' ? '' : `${found.length} found`;
  }

  field.addEventListener('focus', () => {
    if (window.searchIndex || document.querySelector('#search-index')) return;
    const script = Object.assign(document.createElement('script'), {
      id: 'search-index',
      src: new URL('assets/search-index.js', root).href,
    });
    script.addEventListener('load', show);
    document.head.append(script);
  });
  field.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) results.hidden = true;
  });
  field.addEventListener('focusin', show);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape') results.hidden = true;
  });
}

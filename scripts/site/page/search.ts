// The search over all pages: an index made with the site, loaded when the field is entered, by a script since that works from
// files too.
import { type Entry, excerptOf, type Found, makeSearch } from './find.ts';

declare global {
  interface Window {
    searchIndex?: readonly Entry[];
  }
}

const mostResults = 12;

/** The text around what was found, with its words marked. */
function marked(found: Found): Node[] {
  return excerptOf(found).map((piece, index) =>
    index % 2 === 0 ? new Text(piece) : Object.assign(document.createElement('mark'), { textContent: piece }),
  );
}

export function setUpSearch(root: URL): void {
  const form = document.querySelector<HTMLFormElement>('form[role=search]');
  const field = form?.querySelector('input');
  const results = document.getElementById('results');
  const status = document.getElementById('found');
  if (!form || !field || !results || !status) return;
  form.hidden = false;
  if (matchMedia('(hover: hover)').matches) field.placeholder += ' (press /)';
  let find: ReturnType<typeof makeSearch> = () => [];

  const show = () => {
    const typed = field.value.trim();
    const found = find(typed);
    const items = found.slice(0, mostResults).map((entry) => {
      const item = document.createElement('li');
      const link = item.appendChild(document.createElement('a'));
      link.href = new URL(entry.url, root).href;
      const title = link.appendChild(document.createElement('strong'));
      title.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
      link.appendChild(document.createElement('span')).append(...marked(entry));
      return item;
    });
    results.replaceChildren(...items);
    results.hidden = items.length === 0;
    status.textContent = typed === '' ? '' : `${found.length} found`;
  };

  field.addEventListener('focus', () => {
    if (document.querySelector('#search-index')) return;
    const src = new URL('assets/search-index.js', root).href;
    const script = Object.assign(document.createElement('script'), { id: 'search-index', src });
    script.addEventListener('load', () => {
      find = makeSearch(window.searchIndex ?? []);
      show();
    });
    document.head.append(script);
  });
  field.addEventListener('input', show);
  field.addEventListener('focusin', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) results.hidden = true;
  });
  form.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops: HTMLElement[] = [field, ...results.querySelectorAll('a')];
    stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape') results.hidden = true;
  });
}

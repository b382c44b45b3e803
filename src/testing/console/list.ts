// Building blocks of the console: paged lists and badges.

import { html } from 'hono/html';

/** A piece of the page. Interpolated values are escaped unless they are pieces themselves. */
export type Markup = ReturnType<typeof html>;

const PER_PAGE = 10;
/** On a narrow screen, which asks for it with `rows`. */
const PER_NARROW_PAGE = 5;

/** A list of records, with its count, its pages and forms below. */
interface ListPart<Row> {
  /** Its id, and the name of its page in the URL. */
  readonly name: string;
  readonly title: string;
  /** Oldest first; they are shown newest first. */
  readonly records: readonly Row[];
  /** What is said when there is none. */
  readonly empty: string;
  readonly content: (rows: readonly Row[]) => Markup;
  readonly below: readonly Markup[];
}

/** A part of the page that is updated live: the page of a list that the URL asks for. */
export function listPart<Row>(
  query: URLSearchParams,
  { name, title, records, empty, content, below }: ListPart<Row>,
): Markup {
  const perPage = Number(query.get('rows')) === PER_NARROW_PAGE ? PER_NARROW_PAGE : PER_PAGE;
  const lastPage = Math.max(1, Math.ceil(records.length / perPage));
  const asked = Number(query.get(name) ?? 1);
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), lastPage) : 1;
  const end = records.length - (page - 1) * perPage;
  const rows = records.slice(Math.max(0, end - perPage), end).reverse();
  const link = (to: number, label: string) => {
    if (to < 1 || to > lastPage) return html``;
    const target = new URLSearchParams(query);
    target.set(name, String(to));
    return html`<a id="${name}-${label}" href="/?${target}#${name}">${label}</a>`;
  };
  const pages = html`<nav class="pages" aria-label="Pages of ${title}">
    ${link(page - 1, 'newer')} <span class="quiet">${page} of ${lastPage}</span> ${link(page + 1, 'older')}
  </nav>`;
  return html`<section id="${name}" aria-labelledby="${name}-title" tabindex="-1" data-live>
    <div class="head">
      <h2 id="${name}-title">${title}<span>${records.length.toLocaleString('en')}</span></h2>
      ${lastPage === 1 ? '' : pages}
    </div>
    ${records.length === 0 ? html`<p class="empty">${empty}</p>` : content(rows)}
    ${below.length === 0 ? '' : html`<div class="actions">${below}</div>`}
  </section>`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'neutral';

export function badge(text: string, tone: Tone = 'neutral'): Markup {
  return html`<span class="badge ${tone}">${text}</span>`;
}

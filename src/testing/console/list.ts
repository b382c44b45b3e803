// Building blocks of the console: paged lists, tables and badges.

import { html } from 'hono/html';

/** A piece of the page. Interpolated values are escaped unless they are pieces themselves. */
export type Markup = ReturnType<typeof html>;

/** Part of a long list, newest first. */
export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly lastPage: number;
}

const PER_PAGE = 10;
/** On a narrow screen, which asks for it with `rows`. */
const PER_NARROW_PAGE = 5;

/** The page of a list that the URL asks for, under the list's name. */
export function newestFirst<Row>(all: readonly Row[], query: URLSearchParams, name: string): Listing<Row> {
  const perPage = Number(query.get('rows')) === PER_NARROW_PAGE ? PER_NARROW_PAGE : PER_PAGE;
  const lastPage = Math.max(1, Math.ceil(all.length / perPage));
  const asked = Number(query.get(name) ?? 1);
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), lastPage) : 1;
  const end = all.length - (page - 1) * perPage;
  return { rows: all.slice(Math.max(0, end - perPage), end).reverse(), total: all.length, page, lastPage };
}

/** A part of the page that is updated live, with its heading. */
function livePart(name: string, heading: Markup, content: Markup): Markup {
  return html`<section id="${name}" aria-labelledby="${name}-title" tabindex="-1" data-live>
    <div class="head">${heading}</div>
    ${content}
  </section>`;
}

/** A list with its count, its pages, a text for when it is empty, and a form below. */
export function listPart<Row>(
  name: string,
  title: string,
  list: Listing<Row>,
  query: URLSearchParams,
  {
    empty,
    content,
    below = html``,
  }: { empty: string; content: (rows: readonly Row[]) => Markup; below?: Markup },
): Markup {
  return livePart(
    name,
    html`<h2 id="${name}-title">${title}<span>${list.total.toLocaleString('en')}</span></h2>
      ${pageLinks(name, title, list, query)}`,
    html`${list.total === 0 ? html`<p class="empty">${empty}</p>` : content(list.rows)} ${below}`,
  );
}

function pageLinks(
  name: string,
  title: string,
  { page, lastPage }: Listing<unknown>,
  query: URLSearchParams,
): Markup {
  if (lastPage === 1) return html``;
  const link = (to: number, label: string) => {
    if (to < 1 || to > lastPage) return html``;
    const target = new URLSearchParams(query);
    target.set(name, String(to));
    return html`<a id="${name}-${label}" href="/?${target}#${name}">${label}</a>`;
  };
  return html`<nav class="pages" aria-label="Pages of ${title}">
    ${link(page - 1, 'newer')} <span class="quiet">${page} of ${lastPage}</span> ${link(page + 1, 'older')}
  </nav>`;
}

export function table(columns: readonly (string | Markup)[], rows: readonly Markup[]): Markup {
  return html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'neutral';

export function badge(text: string, tone: Tone = 'neutral'): Markup {
  return html`<span class="badge ${tone}">${text}</span>`;
}

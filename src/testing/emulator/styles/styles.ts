import type { FieldErrors } from '../domain/refusal.ts';
import { inMicroseconds, withOffset } from '../domain/timestamps.ts';
import type { EmulatorStyle } from '../options.ts';
import {
  type ListPage,
  lastPage,
  nextUrl,
  pageLinks,
  pageUrl,
  previousUrl,
  type RecordKind,
  span,
} from './pages.ts';

/** How one family of services writes what the service's API does not document. */
export interface Style {
  list(page: ListPage): unknown;
  /** What the headers of a list say of its pages. */
  headers?(page: ListPage): Readonly<Record<string, string>>;
  record(row: object, kind: RecordKind): unknown;
  /** The answer to a command. */
  acknowledgement(message: string, data?: unknown): unknown;
  link(url: string): unknown;
  refusal(message: string, errors: FieldErrors | undefined): unknown;
  /** Whether rows are models as the database has them (`id`, dates in UTC) or written for the reader. */
  readonly models: boolean;
}

/** The documented envelope (service's API, Response envelope of webhook operations). */
export const envelope: Style = {
  list: (page) => ({
    ...succeeded(null, page.rows),
    meta: { pagination: pagination(page) },
  }),
  record: (row) => succeeded(null, row),
  acknowledgement: (message, data = null) => succeeded(message, data),
  link: (link) => succeeded(null, { link }),
  refusal: (message, errors) => ({ success: false, message, data: null, ...(errors && { errors }) }),
  models: false,
};

const resource: Style = {
  list: (page) => ({
    data: page.rows,
    links: {
      first: pageUrl(page, 1),
      last: pageUrl(page, lastPage(page)),
      prev: previousUrl(page),
      next: nextUrl(page),
    },
    meta: {
      current_page: page.page,
      from: span(page).from,
      last_page: lastPage(page),
      links: pageLinks(page),
      path: page.url,
      per_page: page.perPage,
      to: span(page).to,
      total: page.total,
    },
  }),
  record: (row) => ({ data: row }),
  acknowledgement: (message, data) => ({ ...(data === undefined ? {} : { data }), message }),
  link: (link) => ({ data: { link } }),
  refusal: plainRefusal,
  models: false,
};

const paginator: Style = {
  list: (page) => ({
    current_page: page.page,
    data: page.rows,
    first_page_url: pageUrl(page, 1),
    from: span(page).from,
    last_page: lastPage(page),
    last_page_url: pageUrl(page, lastPage(page)),
    links: pageLinks(page),
    next_page_url: nextUrl(page),
    path: page.url,
    per_page: page.perPage,
    prev_page_url: previousUrl(page),
    to: span(page).to,
    total: page.total,
  }),
  record: (row) => row,
  acknowledgement: (message, data) => ({ message, ...(data === undefined ? {} : { data }) }),
  link: (link) => ({ link }),
  refusal: plainRefusal,
  models: true,
};

const simple: Style = {
  ...paginator,
  list: (page) => ({
    current_page: page.page,
    data: page.rows,
    first_page_url: pageUrl(page, 1),
    from: span(page).from,
    next_page_url: nextUrl(page),
    path: page.url,
    per_page: page.perPage,
    prev_page_url: previousUrl(page),
    to: span(page).to,
  }),
};

const bare: Style = {
  ...paginator,
  list: (page) => page.rows,
  acknowledgement: (_message, data = true) => data,
  link: (link) => link,
};

const named: Style = {
  ...resource,
  list: (page) => ({ [`${page.kind}s`]: page.rows, meta: pagination(page) }),
  record: (row, kind) => ({ [kind]: row }),
  link: (link) => ({ link }),
};

const headers: Style = {
  ...paginator,
  list: (page) => page.rows,
  headers: (page) => {
    const links = { first: pageUrl(page, 1), prev: previousUrl(page), next: nextUrl(page) };
    return {
      'x-total-count': String(page.total),
      'x-page': String(page.page),
      'x-per-page': String(page.perPage),
      link: Object.entries(links)
        .filter(([, url]) => url !== null)
        .map(([relation, url]) => `<${url}>; rel="${relation}"`)
        .join(', '),
    };
  },
};

export const styles: Readonly<Record<EmulatorStyle, Style>> = {
  resource,
  paginator,
  simple,
  envelope,
  bare,
  'enveloped-paginator': {
    ...envelope,
    list: (page) => succeeded(null, paginator.list(page)),
    models: true,
  },
  'enveloped-resource': { ...envelope, list: (page) => succeeded(null, resource.list(page)) },
  named,
  headers,
};

/**
 * `meta.pagination` (service's API, Webhook endpoints): all integers, so that an empty page is from 0 to 0, where
 * Laravel's own paginators have null.
 */
function pagination(page: ListPage): Record<string, number> {
  const { from, to } = span(page);
  return {
    total: page.total,
    per_page: page.perPage,
    current_page: page.page,
    last_page: lastPage(page),
    from: from ?? 0,
    to: to ?? 0,
  };
}

/**
 * Writes the dates of rows: a bare model shows UTC with microseconds, a row written for the reader an offset.
 */
export function timestamps(style: Style, utcOffset: number): (moment: number) => string {
  return style.models ? inMicroseconds : (moment) => withOffset(moment, utcOffset);
}

function succeeded(message: string | null, data: unknown): Record<string, unknown> {
  return { success: true, message, data };
}

function plainRefusal(message: string, errors: FieldErrors | undefined): Record<string, unknown> {
  return { message, ...(errors && { errors }) };
}

// The styles in which the emulator can write undocumented responses.

import type { FieldErrors } from '../../domain/rejection.ts';
import type { Settings } from '../../service/emulator-options.ts';
import type { EmulatorStyle } from '../../service/service-settings.ts';
import { envelope, pagination, succeeded } from './envelope.ts';
import { lastPage, nextUrl, pageLinks, pageUrl, previousUrl, span } from './pages.ts';
import type { Style } from './style.ts';

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
  rejection: plainRejection,
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
  rejection: plainRejection,
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

function plainRejection(message: string, errors: FieldErrors | undefined): Record<string, unknown> {
  return { message, ...(errors && { errors }) };
}

/** The style chosen in the settings, with ids and other numbers written accordingly. */
export function styleOf({ style: name, ids, numbers }: Settings): Style {
  const style = styles[name];
  if (ids === 'number' && numbers === 'number') return style;
  const written = (body: unknown) => write(body, '', { ids, numbers });
  return {
    ...style,
    list: (page) => written(style.list(page)),
    record: (row, kind) => written(style.record(row, kind)),
    acknowledgement: (message, data) => written(style.acknowledgement(message, data)),
  };
}

type Writing = Pick<Settings, 'ids' | 'numbers'>;

function write(value: unknown, key: string, writing: Writing): unknown {
  if (typeof value === 'number') {
    return writing[/(^|_)id$/.test(key) ? 'ids' : 'numbers'] === 'string' ? String(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => write(item, key, writing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, write(inner, name, writing)]),
  );
}

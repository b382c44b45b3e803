// The styles in which the emulator can write undocumented responses.

import type { FieldErrors } from '../../domain/rejection.ts';
import type { EmulatorStyle } from '../../service/service-settings.ts';
import { envelope } from './envelope.ts';
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

const bare: Style = {
  ...paginator,
  list: (page) => page.rows,
  acknowledgement: (_message, data = true) => data,
  link: (link) => link,
};

export const styles: Readonly<Record<EmulatorStyle, Style>> = { resource, paginator, envelope, bare };

function plainRejection(message: string, errors: FieldErrors | undefined): Record<string, unknown> {
  return { message, ...(errors && { errors }) };
}

// The styles in which the emulator can write undocumented responses.

import type { FieldErrors } from '../../domain/rejection.ts';
import type { EmulatorStyle } from '../../service/service-settings.ts';
import { type ListPage, numbersOf, urlsOf } from './pages.ts';

/** How one family of services writes what is undocumented by the service. */
export interface Style {
  list(page: ListPage): unknown;
  record(row: object): unknown;
  /** The response to a command. */
  acknowledgement(message: string, data?: unknown): unknown;
  link(url: string): unknown;
  rejection(message: string, errors: FieldErrors | undefined): unknown;
  /** Whether rows are raw database models (`id`, dates in UTC) or formatted for the reader. */
  readonly rawModels: boolean;
}

const resource: Style = {
  list: (page) => ({
    data: page.rows,
    links: urlsOf(page),
    meta: { ...numbersOf(page), links: [], path: page.url },
  }),
  record: (row) => ({ data: row }),
  acknowledgement: (message, data) => ({ ...(data !== undefined && { data }), message }),
  link: (link) => ({ data: { link } }),
  rejection,
  rawModels: false,
};

const paginator: Style = {
  list(page) {
    const { first, last, prev, next } = urlsOf(page);
    return {
      data: page.rows,
      ...numbersOf(page),
      links: [],
      path: page.url,
      first_page_url: first,
      last_page_url: last,
      prev_page_url: prev,
      next_page_url: next,
    };
  },
  record: (row) => row,
  acknowledgement: (message, data) => ({ message, ...(data !== undefined && { data }) }),
  link: (link) => ({ link }),
  rejection,
  rawModels: true,
};

const bare: Style = {
  ...paginator,
  list: (page) => page.rows,
  acknowledgement: (_message, data = true) => data,
  link: (link) => link,
};

/** The documented envelope of the webhook operations. */
export const envelope: Style = {
  list: (page) => ({ ...succeeded(null, page.rows), meta: { pagination: numbersOf(page) } }),
  record: (row) => succeeded(null, row),
  acknowledgement: (message, data = null) => succeeded(message, data),
  link: (link) => succeeded(null, { link }),
  rejection: (message, errors) => ({ success: false, message, data: null, ...(errors && { errors }) }),
  rawModels: false,
};

export const styles: Readonly<Record<EmulatorStyle, Style>> = { resource, paginator, envelope, bare };

function rejection(message: string, errors: FieldErrors | undefined): object {
  return { message, ...(errors && { errors }) };
}

function succeeded(message: string | null, data: unknown): object {
  return { success: true, message, data };
}

import { type ListPage, lastPage, span } from './pages.ts';
import type { Style } from './style.ts';

/** The documented envelope of the webhook operations. */
export const envelope: Style = {
  list: (page) => ({
    ...succeeded(null, page.rows),
    meta: { pagination: pagination(page) },
  }),
  record: (row) => succeeded(null, row),
  acknowledgement: (message, data = null) => succeeded(message, data),
  link: (link) => succeeded(null, { link }),
  rejection: (message, errors) => ({ success: false, message, data: null, ...(errors && { errors }) }),
  models: false,
};

/**
 * `meta.pagination` of `GET /webhooks/{id}/deliveries`. The service documents integers; `from` and `to` of an empty page
 * are null, as Laravel's paginators have them.
 */
function pagination(page: ListPage): Record<string, number | null> {
  return {
    total: page.total,
    per_page: page.perPage,
    current_page: page.page,
    last_page: lastPage(page),
    ...span(page),
  };
}

/** An envelope that reports success. */
function succeeded(message: string | null, data: unknown): Record<string, unknown> {
  return { success: true, message, data };
}

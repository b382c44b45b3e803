import { html } from 'hono/html';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import type { EndpointRecord } from '../emulator/state/records.ts';
import { button, field, form, opening, select } from './forms.ts';
import { badge, listPart, type Markup } from './list.ts';
import type { View } from './view.ts';

/** Webhook endpoints, without their secrets. */
export function endpointsPart({ held, query, moment }: View): Markup {
  return listPart(query, {
    name: 'endpoints',
    title: 'Webhook endpoints',
    records: held.endpoints,
    empty: 'None yet. POST /webhooks registers one.',
    content: (rows) => html`<ul>${rows.map((row) => endpointItem(row, moment))}</ul>`,
    below: opening('add-endpoint', 'Add an endpoint', endpointForm()),
  });
}

function endpointForm(): Markup {
  return form(
    '/webhooks/create',
    {},
    html`${field('new-url', 'url', 'URL', html`type="url" required`)}
      ${field('new-description', 'description', 'Description')}
      ${field('new-secret', 'secret', 'Signing secret', html`value="test-secret" required`)}
      <fieldset><legend>Events, all if none is chosen</legend>
        ${webhookEventNames.map(
          (event) => html`<label class="check">
            <input id="new-${event}" type="checkbox" name="events" value="${event}"> ${event}</label>`,
        )}
      </fieldset>
      ${button('create-endpoint', 'Add')}`,
  );
}

function endpointItem(endpoint: EndpointRecord, moment: View['moment']): Markup {
  const { id, url, description, events, is_active } = endpoint;
  const { consecutive_failures: failures, last_success_at: success } = endpoint;
  return html`<li id="endpoint-${id}">
    <div>
      <code>${url}</code> <span class="quiet">#${id}</span>
      ${description === null ? '' : html`<div>${description}</div>`}
      <div class="quiet">${events.join(', ')}</div>
      <div>
        ${endpointState(endpoint)}
        ${failures > 0 ? badge(`${failures} failed in a row`, 'bad') : ''}
        ${success === null ? '' : html`<span class="quiet">last success</span> ${moment(success)}`}
      </div>
    </div>
    <div class="actions">
      ${form(
        '/webhooks/test',
        { endpoint_id: id },
        html`${select(`event-${id}`, 'event', 'Test event', testEvents, 'exam_result.completed')}
          ${button(`test-${id}`, 'Send', `a test delivery to ${url}`)}`,
      )}
      ${form(
        '/webhooks/state',
        { endpoint_id: id, active: !is_active },
        button(`switch-${id}`, is_active ? 'Switch off' : 'Switch on', url),
      )}
      ${opening(
        `delete-${id}`,
        'Delete',
        form(
          '/webhooks/delete',
          { endpoint_id: id },
          button(`delete-now-${id}`, 'Delete it and its deliveries', url),
        ),
        url,
      )}
    </div>
  </li>`;
}

const testEvents = webhookEventNames.map((event) => [event, event] as const);

function endpointState({ is_active, is_disabled_by_system }: EndpointRecord): Markup {
  if (is_active) return badge('active', 'good');
  return is_disabled_by_system ? badge('disabled by the system', 'bad') : badge('inactive');
}

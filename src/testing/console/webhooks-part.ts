import { html } from 'hono/html';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import { isObject } from '../../util/json.ts';
import type { DeliveryAttempt } from '../emulator/deliveries/engine.ts';
import type { DeliveryRecord, EndpointRecord } from '../emulator/state/records.ts';
import { button, field, form, opening, select } from './forms.ts';
import { badge, listPart, type Markup, newestFirst, type Tone } from './list.ts';
import type { View } from './view.ts';

/** Webhook endpoints, without their secrets. There are five at most, so they need no pages. */
export function endpointsPart({ held: { endpoints }, moment }: View): Markup {
  const list = { rows: endpoints, total: endpoints.length, page: 1, lastPage: 1 };
  return listPart('endpoints', 'Webhook endpoints', list, new URLSearchParams(), {
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

const tones: Readonly<Record<DeliveryRecord['status'], Tone>> = {
  pending: 'warn',
  delivered: 'good',
  failed: 'bad',
};

/** Deliveries with their payload and every attempt, newest first. */
export function deliveriesPart({ emulator, held, query, moment }: View): Markup {
  const inOrder = held.deliveries.toSorted((a, b) => a.created_at - b.created_at);
  return listPart('deliveries', 'Deliveries', newestFirst(inOrder, query, 'deliveries'), query, {
    empty: 'None yet. Events go to the active endpoints that are subscribed to them.',
    content(rows) {
      const shown = new Set(rows.map(({ id }) => id));
      const attempts = emulator.deliveries.filter((attempt) => shown.has(attempt.delivery_id));
      const attemptsAt = ({ id }: DeliveryRecord) => attempts.filter((attempt) => attempt.delivery_id === id);
      return html`<ul>${rows.map((row) => deliveryItem(row, attemptsAt(row), moment))}</ul>`;
    },
  });
}

function deliveryItem(
  delivery: DeliveryRecord,
  attempts: readonly DeliveryAttempt[],
  moment: View['moment'],
): Markup {
  const { id, event, status, payload, created_at, endpoint_id } = delivery;
  return html`<li id="delivery-item-${id}">
    <details id="delivery-${id}">
      <summary id="summary-${id}">
        ${badge(status, tones[status])} <strong>${event}</strong>
        ${subject(payload.data)}
        <span class="quiet">to #${endpoint_id}${repeated(delivery.attempts)}, ${moment(created_at)}</span>
      </summary>
      ${form('/deliveries/resend', { delivery_id: id }, button(`resend-${id}`, 'Send again', event))}
      <dl>
        ${attempts.map((attempt, index) => attemptRows(attempt, index, moment))}
        ${attempts.length === 0 ? html`<dt>Error</dt><dd>${delivery.error_message ?? 'none'}</dd>` : ''}
        <dt>Payload</dt>
        <dd><pre id="payload-${id}" role="group" tabindex="0" aria-label="Payload">${JSON.stringify(payload, null, 2)}</pre></dd>
      </dl>
    </details>
  </li>`;
}

/** Whom and which exam an event is about. */
function subject({ participant, exam }: Readonly<Record<string, unknown>>): Markup {
  const names = [participant, exam].map((one) => (isObject(one) ? one['name'] : undefined));
  return html`<span>${names.filter((name) => typeof name === 'string').join(', ')}</span>`;
}

/** @param index Its position among the attempts: a delivery that is sent twice has the same number twice. */
function attemptRows(sent: DeliveryAttempt, index: number, moment: View['moment']): Markup {
  const { delivery_id: id, attempt: number, response_code: status, response_body: body } = sent;
  return html`<dt>Attempt ${number} ${moment(sent.sent_at)}</dt>
    <dd>
      <div><code>X-Cbt-Signature: ${sent.signature}</code></div>
      <div>${status === null ? '' : html`Status ${status}`}
        <span class="bad">${sent.error_message ?? ''}</span></div>
      ${body ? html`<pre id="response-${id}-${index}" role="group" tabindex="0" aria-label="Response">${body}</pre>` : ''}
    </dd>`;
}

function repeated(attempts: number): string {
  return attempts > 1 ? `, ${attempts} attempts` : '';
}

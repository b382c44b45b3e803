import { html } from 'hono/html';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import { isObject } from '../../util/json.ts';
import type { DeliveryAttempt } from '../emulator/deliveries/engine.ts';
import type { DeliveryRecord, EndpointRecord } from '../emulator/state/records.ts';
import { badge, listPart, type Markup, newestFirst, type Tone } from './list.ts';
import type { View } from './view.ts';

/** Webhook endpoints, without their secrets. There are five at most, so they need no pages. */
export function endpointsPart({ held: { endpoints }, moment }: View): Markup {
  const list = { rows: endpoints, total: endpoints.length, page: 1, lastPage: 1 };
  return listPart('endpoints', 'Webhook endpoints', list, new URLSearchParams(), {
    empty: 'None yet. POST /webhooks registers one.',
    content: (rows) => html`<ul>${rows.map((row) => endpointItem(row, moment))}</ul>`,
  });
}

function endpointItem(endpoint: EndpointRecord, moment: View['moment']): Markup {
  const { id, url, description, events, consecutive_failures: failures, last_success_at: success } = endpoint;
  return html`<li id="endpoint-${id}">
    <div class="row">
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
      <form method="post" action="/__emulator/webhooks/test">
        <input type="hidden" name="endpoint_id" value="${id}">
        <label>Test event
          <select id="event-${id}" name="event">
            ${webhookEventNames.map((event) => html`<option ${selected(event)}>${event}</option>`)}
          </select></label>
        <button id="test-${id}">Send<span class="sight"> a test delivery to ${url}</span></button>
      </form>
    </div>
  </li>`;
}

function selected(event: string): string {
  return event === 'exam_result.completed' ? 'selected' : '';
}

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

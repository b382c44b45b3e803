// The deliveries on the console page: their attempts, their payload, and a button that sends one again.

import { html } from 'hono/html';
import { isObject } from '../../util/json.ts';
import type { DeliveryAttempt } from '../emulator/deliveries/attempt.ts';
import type { DeliveryRecord } from '../emulator/state/records.ts';
import { button, form } from './forms.ts';
import { badge, listPart, type Markup, type Tone } from './list.ts';
import type { View } from './view.ts';

const tones: Readonly<Record<DeliveryRecord['status'], Tone>> = {
  pending: 'warn',
  delivered: 'good',
  failed: 'bad',
};

/** Deliveries with their payload and every attempt, newest first. */
export function deliveriesPart({ emulator, held, query, moment }: View): Markup {
  return listPart(query, {
    name: 'deliveries',
    title: 'Deliveries',
    records: held.deliveries.toSorted((a, b) => a.created_at - b.created_at),
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

import { html } from 'hono/html';
import { isObject } from '../../util/json.ts';
import type { ReceivedRequest } from '../emulator/http/request-log.ts';
import { faultLabel } from './fault-label.ts';
import { badge, listPart, type Markup } from './list.ts';
import type { View } from './view.ts';

/** Requests with their body, fault and response. Headers contain the key, so they are not shown. */
export function requestsPart(view: View): Markup {
  const { emulator, query } = view;
  return listPart(query, {
    name: 'requests',
    title: 'Requests',
    records: emulator.requests,
    empty: 'None yet.',
    content: (rows) => html`<ul>${rows.map((row) => requestItem(row, view))}</ul>`,
  });
}

function requestItem(request: ReceivedRequest, { moment }: View): Markup {
  const { id, method, path, query, body, fault, response, status, received_at } = request;
  const sent = Object.keys(query).length > 0 ? JSON.stringify(query, null, 2) : '';
  return html`<li id="request-item-${id}">
    <details id="request-${id}">
      <summary id="request-summary-${id}">
        ${statusBadge(status)} <code>${method} ${path}${queryOf(request)}</code>
        <span class="quiet">${subject(body)}${fault === null ? '' : 'fault, '}${moment(received_at)}</span>
      </summary>
      <dl>
        ${part(id, 'Query', sent)} ${part(id, 'Body', withoutSecrets(body))}
        ${fault === null ? '' : html`<dt>Fault</dt><dd>${faultLabel(fault)}</dd>`}
        ${part(id, 'Response', withoutSecrets(response ?? '')) || html`<dt>Response</dt><dd>No body.</dd>`}
      </dl>
    </details>
  </li>`;
}

/** The query as a reader would write it. */
function queryOf({ query }: ReceivedRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** What a body is about, in a few words: a participant and an exam, or how many participants. */
function subject(body: string): string {
  const fields = parsed(body);
  if (!isObject(fields)) return '';
  const { participant_id, exam_id, participants } = fields;
  if (Array.isArray(participants)) {
    return `${participants.length} ${participants.length === 1 ? 'participant' : 'participants'}, `;
  }
  if (typeof participant_id !== 'number' || typeof exam_id !== 'number') return '';
  return `participant ${participant_id}, exam ${exam_id}, `;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function part(id: number, title: string, text: string): Markup | '' {
  if (text === '') return '';
  return html`<dt>${title}</dt>
    <dd><pre id="request-${title.toLowerCase()}-${id}" role="group" tabindex="0" aria-label="${title}">${text}</pre></dd>`;
}

function statusBadge(status: number | null): Markup {
  if (status === null) return badge('no response', 'bad');
  return badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');
}

const secretName = /password|secret/i;

/** A body to display, possibly over somebody's shoulder: passwords and signing secrets are hidden. */
function withoutSecrets(text: string): string {
  const value = parsed(text);
  if (value !== undefined) return JSON.stringify(hide(value), null, 2);
  return secretName.test(text) ? 'Not shown: it is not complete JSON and may contain a password.' : text;
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretName.test(name) ? 'hidden' : hide(inner)]),
  );
}

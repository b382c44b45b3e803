import { html } from 'hono/html';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import type { InjectedFault } from '../emulator/faults/fault.ts';
import { operationNames } from '../emulator/service/operations.ts';
import { effectLabels, faultLabel } from './fault-label.ts';
import { button, field, form, opening, select } from './forms.ts';
import type { Markup } from './list.ts';
import type { View } from './view.ts';

/** The faults that may still strike, and the form to inject more. */
export function faultsPart({ emulator: { faults } }: View): Markup {
  return html`<section aria-labelledby="faults-title">
    <div class="head"><h2 id="faults-title">Faults</h2></div>
    ${form(
      '/faults',
      {},
      html`${select('fault-effect', 'effect', 'What goes wrong', effects, 'respond')}
      ${field('fault-status', 'status', 'Status', html`type="number" placeholder="500"`)}
      <label>Where
        <select id="fault-on" name="on">
          <option value="">Everywhere</option>
          <optgroup label="Requests">${operationNames.map((name) => html`<option>${name}</option>`)}</optgroup>
          <optgroup label="Deliveries">
            ${webhookEventNames.map((event) => html`<option>${event}</option>`)}
          </optgroup>
        </select></label>
      ${field('fault-times', 'times', 'How often', html`type="number" min="1" value="1" required`)}
      ${field('fault-skip', 'skip', 'After skipping', html`type="number" min="0" placeholder="0"`)}
      ${button('fault-inject', 'Switch on')} ${opening('fault-more', 'More', more)}`,
    )}
    <div id="faults" tabindex="-1" data-live>${waiting(faults.waiting)}</div>
  </section>`;
}

const effects = [...Object.entries(effectLabels), ['', 'Nothing but a delay'] as const];

const more = html`<div class="actions">
  ${field('fault-delay', 'delay', 'Delay in ms', html`type="number" min="0"`)}
  ${field('fault-body', 'body', 'Body')} ${field('fault-headers', 'headers', 'Headers as JSON')}
  ${field('fault-to', 'to', 'Address of a redirect')}
  <label class="check"><input id="fault-processed" type="checkbox" name="processed" value="true">
    carry the request out first</label>
</div>`;

function waiting(faults: readonly InjectedFault[]): Markup {
  if (faults.length === 0) return html`<p class="empty">None is switched on.</p>`;
  return html`<ul>
      ${faults.map(
        ({ fault, left, struck }) => html`<li>
          ${faultLabel(fault)} <span class="quiet">${where(fault.on)}, ${left} left, struck ${struck}</span>
        </li>`,
      )}
    </ul>
    ${form('/faults/clear', {}, button('faults-clear', 'Switch all off'))}`;
}

function where(on: InjectedFault['fault']['on']): string {
  if (on === undefined) return 'everywhere';
  return typeof on === 'string' ? on : on.join(', ');
}

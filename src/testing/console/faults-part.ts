import { html } from 'hono/html';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import type { InjectedFault } from '../emulator/faults/fault.ts';
import { faultPresets } from '../emulator/faults/presets.ts';
import { operations } from '../emulator/service/operations.ts';
import { faultLabel } from './fault-label.ts';
import { button, form } from './forms.ts';
import type { Markup } from './list.ts';
import type { View } from './view.ts';

/** The faults that may still strike, and the form to inject more. */
export function faultsPart({ emulator: { faults } }: View): Markup {
  return html`<section aria-labelledby="faults-title">
    <div class="head"><h2 id="faults-title">Faults</h2></div>
    ${form(
      '/faults',
      {},
      html`<label>What goes wrong
        <select id="fault-preset" name="preset">
          ${Object.entries(faultPresets).map(
            ([name, fault]) => html`<option value="${name}">${faultLabel(fault)}</option>`,
          )}
        </select></label>
      <label>Where
        <select id="fault-on" name="on">
          <option value="">Everywhere</option>
          <optgroup label="Requests">${operations.map(({ name }) => html`<option>${name}</option>`)}</optgroup>
          <optgroup label="Deliveries">
            ${webhookEventNames.map((event) => html`<option>${event}</option>`)}
          </optgroup>
        </select></label>
      <label>How often
        <input id="fault-times" name="times" type="number" min="1" value="1" required></label>
      ${button('fault-inject', 'Switch on')}`,
    )}
    <div id="faults" tabindex="-1" data-live>${waiting(faults.waiting)}</div>
  </section>`;
}

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

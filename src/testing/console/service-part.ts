import { html } from 'hono/html';
import { jsonName, toJson } from '../control/settings-input.ts';
import { isMovable } from '../emulator/service/clock.ts';
import { settingEntries } from '../emulator/service/service-settings.ts';
import { button, field, fileForm, form, opening, select } from './forms.ts';
import { badge, type Markup } from './list.ts';
import type { View } from './view.ts';

/** The service as a whole: its client, its clock and its settings. */
export function servicePart({ emulator }: View): Markup {
  const { clock, control, settings } = emulator;
  const isActive = control.isClientActive();
  return html`<section id="service" aria-labelledby="service-title" tabindex="-1" data-live>
    <div class="head"><h2 id="service-title">Service</h2></div>
    <div class="row">
      <span>Client ${isActive ? badge('active', 'good') : badge('inactive, gets 403', 'bad')}</span>
      ${form('/client', { active: !isActive }, button('client', isActive ? 'Deactivate' : 'Activate', 'the client'))}
    </div>
    ${isMovable(clock) ? opening('move-clock', 'Move the clock', clockForm()) : ''}
    ${opening(
      'data',
      'Load and save data',
      html`<p class="quiet"><a id="save-data" href="/console/state.json" download>Save all data</a>, with passwords and secrets</p>
        ${fileForm('/state', 'load-state', 'State, in place of all data', 'Load')}
        ${fileForm('/seed', 'load-seed', 'Seed, added to the data', 'Add')}`,
    )}
    ${opening('change-settings', 'Change the settings', settingsForm(settings))}
  </section>`;
}

const steps = [
  ['60', 'by a minute'],
  ['600', 'by ten minutes'],
  ['3600', 'by an hour'],
  ['86400', 'by a day'],
  ['604800', 'by a week'],
] as const;

function clockForm(): Markup {
  return form(
    '/clock/advance',
    {},
    html`${select('clock-step', 'seconds', 'Forward', steps, '3600')} ${button('advance', 'Move')}
      <p class="quiet">Retries that become due are sent.</p>`,
  );
}

function settingsForm(settings: object): Markup {
  const values = toJson(settings);
  const fields = settingEntries.map(([name, { words }]) =>
    settingField(jsonName(name), words, values[jsonName(name)]),
  );
  return form(
    '/settings',
    {},
    html`${fields} ${button('save-settings', 'Save')}
      <p class="quiet">An empty limit is none. Times are milliseconds, the offset is minutes, lists and objects are JSON.</p>`,
  );
}

/** A choice where a setting is one of some words, and otherwise its JSON; an empty field is no limit. */
function settingField(name: string, words: readonly string[] | undefined, value: unknown): Markup {
  const [id, label] = [`setting-${name}`, name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')];
  if (words === undefined) {
    const json = JSON.stringify(value);
    return field(id, name, label, html`value="${json === 'null' ? '' : json}"`);
  }
  const options = words.map((word) => [word, word] as const);
  return select(id, name, label, options, String(value));
}

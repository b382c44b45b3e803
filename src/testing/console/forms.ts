// Building blocks of the forms on the console page.

import { html } from 'hono/html';
import { CONTROL_PREFIX } from '../control/route.ts';
import type { Markup } from './list.ts';

/** A form that posts to the control interface: values that are set, then what the reader fills in. */
export function form(
  path: string,
  values: Readonly<Record<string, string | number | boolean>>,
  content: Markup,
): Markup {
  return html`<form method="post" action="${CONTROL_PREFIX}${path}">
    ${Object.entries(values).map(([name, value]) => hidden(name, String(value)))} ${content}
  </form>`;
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** A form that posts a file with the JSON that a path of the control interface takes. */
export function fileForm(path: string, id: string, label: string, buttonLabel: string): Markup {
  return html`<form method="post" action="${CONTROL_PREFIX}${path}" enctype="multipart/form-data">
    ${field(`${id}-file`, 'file', label, html`type="file" accept=".json" required`)} ${button(id, buttonLabel)}
  </form>`;
}

/** @param about Completes the name of the button for those who do not see where it stands. */
export function button(id: string, label: string, about: Markup | string = ''): Markup {
  return html`<button id="${id}">${forAll(label, about)}</button>`;
}

/** A form that opens at a click. */
export function opening(id: string, label: string, content: Markup, about: Markup | string = ''): Markup {
  return html`<details id="${id}" class="opening">
    <summary id="${id}-summary">${forAll(label, about)}</summary>
    ${content}
  </details>`;
}

function forAll(label: string, about: Markup | string): Markup {
  return about === '' ? html`${label}` : html`${label}<span class="sight"> ${about}</span>`;
}

/** @param attributes Further attributes of the input, such as its type. */
export function field(id: string, name: string, label: string, attributes: Markup = html``): Markup {
  return html`<label>${label} <input id="${id}" name="${name}" autocomplete="off" ${attributes}></label>`;
}

/** A box that sends `true` or `false`. */
export function checkbox(id: string, name: string, label: string, isChecked: boolean): Markup {
  return html`${hidden(name, 'false')}
    <label class="check"><input id="${id}" type="checkbox" name="${name}" value="true" ${isChecked ? 'checked' : ''}>
      ${label}</label>`;
}

export function select(
  id: string,
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  selected?: string,
): Markup {
  return html`<label>${label}
    <select id="${id}" name="${name}">
      ${options.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === selected ? 'selected' : ''}>${text}</option>`,
      )}
    </select></label>`;
}

/** A longer list is none to choose from. */
const MAX_CHOICES = 100;

/** One of the records: by its name, or by its id where there are many. */
export function choice(
  id: string,
  name: string,
  label: string,
  records: readonly { readonly id: number; readonly name: string }[],
): Markup {
  if (records.length > MAX_CHOICES)
    return field(`${id}-number`, name, `${label} #`, html`type="number" min="1" required`);
  return select(
    id,
    name,
    label,
    records.map((record) => [String(record.id), `${record.name} #${record.id}`]),
  );
}

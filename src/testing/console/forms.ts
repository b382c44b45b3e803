// The forms of the console page: each is made of a route of the control interface and the schema of its input.

import { html } from 'hono/html';
import * as z from 'zod/mini';
import { CONTROL_PREFIX, type ControlRoute } from '../control/route.ts';
import { describeField, type FieldDescription, fieldsOf } from '../schema/description.ts';
import type { Markup } from './list.ts';
import { inWords, type View } from './view.ts';

/** A longer list is none to choose from. */
const MAX_CHOICES = 100;

interface FormContent {
  /** Values that the reader does not fill in. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** What the other fields hold at first. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Completes the name of the button for those who do not see where it stands. */
  readonly about?: string;
}

/** A button where there is nothing to fill in; otherwise, and where data is lost, a form that has to be opened. */
export function routeForm(
  { path, title, input, losesData }: ControlRoute,
  view: View,
  { given = {}, values = {}, about = '' }: FormContent = {},
): Markup {
  const id = [path.slice(1).replaceAll('/', '-'), ...Object.values(given)].join('-');
  const fields = Object.entries(fieldsOf(input))
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, schema]) => ({ name, ...describeField(schema) }));
  // A single flag is not filled in but switched.
  const flag = fields.find(({ isRequired, words }) => isRequired && words[0] === 'true')?.name;
  const isOn = flag !== undefined && values[flag] === true;
  const hidden = Object.entries({ ...given, ...(flag !== undefined && { [flag]: !isOn }) });
  const switched = flag === undefined ? '' : isOn ? ' off' : ' on';
  const label = html`${title}${switched}${about === '' ? '' : html`<span class="sight">: ${about}</span>`}`;
  const isFile = input instanceof z.ZodMiniUnknown;
  const open = fields.filter(({ name }) => name !== flag);
  const tone = losesData ? 'bad' : '';
  const form = html`<form method="post" action="${CONTROL_PREFIX}${path}" ${isFile ? html`enctype="multipart/form-data"` : ''}>
    ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
    ${open.map((field) => fieldInput(`${id}-${field.name}`, field, view.choices[field.name], values[field.name]))}
    ${isFile ? html`<label>File <input id="${id}-file" type="file" name="file" accept=".json" required></label>` : ''}
    <p class="quiet">${hint(describeField(input).sentence)}</p>
    <button id="${id}-send" class="${tone}">${label}</button>
  </form>`;
  if (open.length === 0 && !isFile && !losesData) return form;
  return html`<details id="${id}" class="opening">
    <summary id="${id}-summary" class="${tone}">${label}</summary> ${form}
  </details>`;
}

/** @param records What an id may be, with its name. */
function fieldInput(
  id: string,
  { name, sentence, type, words, isList, isRequired }: FieldDescription & { readonly name: string },
  records: ReadonlyMap<unknown, string> = new Map(),
  value: unknown = '',
): Markup {
  const text = typeof value === 'string' || value === null ? (value ?? '') : JSON.stringify(value);
  const about = html`${isRequired ? 'required' : ''} aria-describedby="${id}-hint"`;
  const below = html`<small id="${id}-hint">${hint(sentence)}</small>`;
  const title = inWords(name);
  if (isList && type === 'words') {
    return html`<fieldset ${about}><legend>${title}</legend>
      ${words.map((word) => html`<label class="check"><input id="${id}-${word}" type="checkbox" name="${name}" value="${word}"> ${word}</label>`)}
      ${below}</fieldset>`;
  }
  const isChoice = records.size > 0 && records.size <= MAX_CHOICES;
  const options = isChoice ? [...records] : words.map((word) => [word, word] as const);
  const attributes = html`id="${id}" name="${name}" ${about}`;
  const choices = html`${isRequired ? '' : html`<option value=""></option>`}
    ${options.map(([choice, label]) => html`<option value="${String(choice)}" ${String(choice) === text ? 'selected' : ''}>${label}</option>`)}`;
  const kind = type === 'number' ? html`inputmode="decimal"` : '';
  return html`<label>${title}
    ${
      options.length > 0
        ? html`<select ${attributes}>${choices}</select>`
        : type === 'json'
          ? html`<textarea ${attributes} rows="1" placeholder="JSON">${text}</textarea>`
          : html`<input ${attributes} ${kind} autocomplete="off" value="${text}">`
    } ${below}</label>`;
}

/** A sentence, with what stands in backticks as code. */
function hint(sentence: string): Markup {
  return html`${sentence.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

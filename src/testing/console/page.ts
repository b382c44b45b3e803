// The console page: the lists, and each route of the control interface as a form where it belongs.

import { html } from 'hono/html';
import type { ControlRoute } from '../control/route.ts';
import { controlRoutes } from '../control/serve.ts';
import { toJson } from '../control/settings-input.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { isMovable } from '../emulator/service/clock.ts';
import { API_PREFIX } from '../emulator/service/operations.ts';
import { fieldsOf } from '../schema/description.ts';
import { routeForm } from './forms.ts';
import { type Kind, kinds, type Shown } from './kinds.ts';
import { badge, listPart, type Markup } from './list.ts';
import { createView, inWords, type View } from './view.ts';

const posts = controlRoutes.filter(({ method }) => method === 'POST');
const belowLists = Object.values(kinds).flatMap(({ below = [] }) => below);
/** Those of the service as a whole: neither below a list nor beside a record. */
const ofService = posts.filter((route) => !belowLists.includes(route.path) && idsOf(route) === '');

/** The whole page for the emulator's current state. */
export function consolePage(emulator: Emulator, { origin, searchParams: query }: URL): Markup {
  const view = createView(emulator);
  const lists = Object.entries(kinds).map(([name, kind]) => listSection(name, kind, query, view));
  return html`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Exam service emulator</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/console/style.css">
  <script src="/console/live.js" defer></script>
</head>
<body>
  <a class="skip" href="#requests">Skip to the requests</a>
  <header>
    <h1>Exam service emulator</h1>
    <code>${origin}${API_PREFIX}</code>
    <span id="zone" class="quiet" data-live>Times in ${view.zone}</span>
    <nav aria-label="Parts of the page">
      ${Object.entries(kinds).map(([name, { title }]) => html`<a href="#${name}">${title}</a>`)}
      <a href="#service">Service</a>
    </nav>
  </header>
  <main>
    <div id="start" class="wide" tabindex="-1" data-live>${isEmpty(view) ? startPart(view) : ''}</div>
    <div class="column">${lists.slice(0, 4)} ${servicePart(view)}</div>
    <div class="column">${lists.slice(4)}</div>
  </main>
  <p role="status"></p>
</body>
</html>`;
}

function isEmpty({ held: { participants, exams, endpoints } }: View): boolean {
  return participants.length + exams.length + endpoints.length === 0;
}

/** How to start with an empty emulator. */
function startPart(view: View): Markup {
  return html`<section aria-labelledby="start-title">
    <h2 id="start-title">No data yet</h2>
    <p>Import participants through the service, start with <code>--seed FILE</code>, or try it out:</p>
    ${posts.filter(({ path }) => path === '/demo').map((route) => routeForm(route, view))}
  </section>`;
}

function servicePart(view: View): Markup {
  const { clock, control, settings } = view.emulator;
  const values = { ...toJson(settings), active: control.isClientActive() };
  const offered = ofService.filter(
    ({ path }) => path !== '/demo' && (path !== '/clock/advance' || isMovable(clock)),
  );
  return html`<section id="service" aria-labelledby="service-title" tabindex="-1" data-live>
    <div class="head"><h2 id="service-title">Service</h2></div>
    ${values.active ? '' : html`<p>${badge('The client is inactive: every request gets a 403.', 'bad')}</p>`}
    <div class="actions">
      ${offered.map((route) => routeForm(route, view, { values }))}
      <a id="save-data" href="/console/state.json" download>Save all data, with passwords and secrets</a>
    </div>
  </section>`;
}

function listSection(name: string, kind: Kind, query: URLSearchParams, view: View): Markup {
  const { title, empty, below = [] } = kind;
  return listPart(query, {
    name,
    title,
    empty,
    records: kind.records(view),
    content: (rows) => html`<ul>${rows.map((row) => recordItem(`${name}-${row.id}`, kind, row, view))}</ul>`,
    below: posts.filter(({ path }) => below.includes(path)).map((route) => routeForm(route, view)),
  });
}

/** A line with a few fields of a record, which opens to all of them, and the routes that take its ids. */
function recordItem(id: string, kind: Kind, row: Shown, view: View): Markup {
  const fields = { ...row, ...kind.more?.(row, view) };
  const given = kind.ids?.(row) ?? {};
  const ids = Object.keys(given).join();
  const isOffered = kind.isNext ?? (() => true);
  const routes = posts.filter((route) => ids !== '' && idsOf(route) === ids && isOffered(route.path, row));
  return html`<li id="${id}">
    <details id="${id}-more">
      <summary id="${id}-summary">${kind.line(row, view).map((cell) => html`<div>${cell}</div>`)}</summary>
      <dl>${Object.entries(fields).map(([name, value]) => fieldItem(`${id}-${name}`, name, view.text(name, value)))}</dl>
    </details>
    ${routes.length === 0 ? '' : html`<div class="actions">${routes.map((route) => routeForm(route, view, { given, values: fields, about: callOf(fields, view) }))}</div>`}
  </li>`;
}

function fieldItem(id: string, name: string, text: Markup | string): Markup {
  const isLong = typeof text === 'string' && text.includes('\n');
  return html`<dt>${inWords(name)}</dt>
    <dd>${isLong ? html`<pre id="${id}" role="group" tabindex="0" aria-label="${inWords(name)}">${text}</pre>` : text}</dd>`;
}

/** The names of the ids that a route takes. */
function idsOf({ input }: ControlRoute): string {
  return Object.keys(fieldsOf(input))
    .filter((name) => name.endsWith('_id'))
    .join();
}

/** What a record is called where only its name is heard. */
function callOf(fields: Readonly<Record<string, unknown>>, { choices }: View): string {
  const { name, url, event, participant_id } = fields;
  return String(name ?? url ?? event ?? choices['participant_id']?.get(participant_id));
}

import { html } from 'hono/html';
import type { Emulator } from '../emulator/emulator-api.ts';
import { API_PREFIX } from '../emulator/operations.ts';
import { faultsPart } from './faults-part.ts';
import type { Markup } from './list.ts';
import { recordParts } from './records-part.ts';
import { requestsPart } from './requests-part.ts';
import { createView, type View } from './view.ts';
import { deliveriesPart, endpointsPart } from './webhooks-part.ts';

/** The whole page for the emulator's current state. */
export function consolePage(emulator: Emulator, { origin, searchParams: query }: URL): Markup {
  const view = createView(emulator, query);
  const records = recordParts(view);
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
  <a class="skip" href="#assignments">Skip to the assignments</a>
  <header>
    <h1>Exam service emulator</h1>
    <code>${origin}${API_PREFIX}</code>
    <span id="zone" class="quiet" data-live>Times in ${view.zone}</span>
    <div id="anew-part" tabindex="-1" data-live>${anewPart(view)}</div>
    <nav aria-label="Parts of the page">
      ${parts.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}
    </nav>
  </header>
  <main>
    ${startPart(view)}
    <div class="column">
      ${records.assignments} ${records.results} ${records.participants} ${records.exams}
    </div>
    <div class="column">
      ${endpointsPart(view)} ${deliveriesPart(view)} ${faultsPart(view)} ${requestsPart(view)}
    </div>
  </main>
  <p role="status"></p>
</body>
</html>`;
}

const parts = [
  ['assignments', 'Assignments'],
  ['results', 'Results'],
  ['participants', 'Participants'],
  ['exams', 'Exams'],
  ['endpoints', 'Webhooks'],
  ['deliveries', 'Deliveries'],
  ['faults', 'Faults'],
  ['requests', 'Requests'],
] as const;

/** How to start over. */
function anewPart(view: View): Markup {
  if (isEmpty(view)) return html``;
  return html`<details id="anew">
    <summary id="anew-summary">Start over</summary>
    <form method="post" action="/__emulator/reset">
      <button id="reset">Clear all data, requests and faults</button>
    </form>
  </details>`;
}

/** How to start with an empty emulator. */
function startPart(view: View): Markup {
  return html`<div id="start" class="wide" tabindex="-1" data-live>${
    isEmpty(view)
      ? html`<section aria-labelledby="start-title">
          <h2 id="start-title">No data yet</h2>
          <p>Import participants through the service, start with <code>--seed FILE</code>, or try it out:</p>
          <form method="post" action="/__emulator/demo">
            <button id="demo">Load sample data</button>
          </form>
        </section>`
      : ''
  }</div>`;
}

function isEmpty({ held: { participants, exams, endpoints } }: View): boolean {
  return participants.length + exams.length + endpoints.length === 0;
}

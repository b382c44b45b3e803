import { html } from 'hono/html';
import type { Emulator } from '../emulator/emulator-api.ts';
import { API_PREFIX } from '../emulator/service/operations.ts';
import { deliveriesPart } from './deliveries-part.ts';
import { endpointsPart } from './endpoints-part.ts';
import { assignmentsPart, resultsPart } from './exams-taken-part.ts';
import { faultsPart } from './faults-part.ts';
import { button, form } from './forms.ts';
import type { Markup } from './list.ts';
import { examsPart, participantsPart } from './records-part.ts';
import { requestsPart } from './requests-part.ts';
import { servicePart } from './service-part.ts';
import { createView, type View } from './view.ts';

/** The whole page for the emulator's current state. */
export function consolePage(emulator: Emulator, { origin, searchParams: query }: URL): Markup {
  const view = createView(emulator, query);
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
      ${assignmentsPart(view)} ${resultsPart(view)} ${participantsPart(view)} ${examsPart(view)}
    </div>
    <div class="column">
      ${requestsPart(view)} ${endpointsPart(view)} ${deliveriesPart(view)} ${faultsPart(view)} ${servicePart(view)}
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
  ['requests', 'Requests'],
  ['endpoints', 'Webhooks'],
  ['deliveries', 'Deliveries'],
  ['faults', 'Faults'],
  ['service', 'Service'],
] as const;

/** How to start over. */
function anewPart(view: View): Markup {
  if (isEmpty(view)) return html``;
  return html`<details id="anew" class="opening">
    <summary id="anew-summary">Start over</summary>
    ${form('/reset', {}, button('reset', 'Clear all data, requests and faults'))}
  </details>`;
}

/** How to start with an empty emulator. */
function startPart(view: View): Markup {
  return html`<div id="start" class="wide" tabindex="-1" data-live>${
    isEmpty(view)
      ? html`<section aria-labelledby="start-title">
          <h2 id="start-title">No data yet</h2>
          <p>Import participants through the service, start with <code>--seed FILE</code>, or try it out:</p>
          ${form('/demo', {}, button('demo', 'Load sample data'))}
        </section>`
      : ''
  }</div>`;
}

function isEmpty({ held: { participants, exams, endpoints } }: View): boolean {
  return participants.length + exams.length + endpoints.length === 0;
}

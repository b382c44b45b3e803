import { html } from 'hono/html';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { ReceivedRequest } from '../emulator/http/request-log.ts';
import { API_PREFIX } from '../emulator/operations.ts';
import { faultsPart } from './faults-part.ts';
import { badge, listPart, type Markup, moment, newestFirst, table } from './list.ts';
import { recordParts } from './records-part.ts';
import { deliveriesPart, endpointsPart } from './webhooks-part.ts';

/** The whole page, as the emulator is now. */
export function consolePage(emulator: Emulator, { origin, searchParams: query }: URL): Markup {
  const held = emulator.snapshot();
  const records = recordParts(held, query);
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
    <nav aria-label="Parts of the page">
      ${parts.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}
    </nav>
  </header>
  <main>
    <div class="column">
      ${records.assignments} ${records.results} ${records.participants} ${records.exams}
    </div>
    <div class="column">
      ${endpointsPart(held)} ${deliveriesPart(held, emulator.deliveries, query)} ${faultsPart(emulator)}
      ${requestsPart(emulator.requests, query)}
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

function requestsPart(requests: readonly ReceivedRequest[], query: URLSearchParams): Markup {
  return listPart('requests', 'Requests', newestFirst(requests, query, 'requests'), query, {
    empty: 'None yet.',
    content: (rows) =>
      table(
        ['Request', 'Answer', 'Received'],
        rows.map(
          ({ method, path, status, received_at }) => html`<tr>
            <td><code>${method} ${path}</code></td>
            <td>${answerBadge(status)}</td>
            <td>${moment(received_at)}</td>
          </tr>`,
        ),
      ),
  });
}

function answerBadge(status: number | null): Markup {
  if (status === null) return badge('no answer', 'bad');
  return badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');
}

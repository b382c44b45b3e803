// Assignments and results on the console page, and what can happen next to each.

import { html } from 'hono/html';
import type { AssignmentRecord, ResultRecord } from '../emulator/state/records.ts';
import type { Assignment } from '../emulator/state/store.ts';
import { button, choice, form, opening } from './forms.ts';
import { badge, listPart, type Markup, table } from './list.ts';
import type { View } from './view.ts';

const pairColumns = ({ who, which }: View) => ({
  Participant: ({ participant_id }: Assignment) => who(participant_id),
  Exam: ({ exam_id }: Assignment) => which(exam_id),
});

/** Who is assigned to which exam, and what can happen next. */
export function assignmentsPart(view: View): Markup {
  return listPart(view.query, {
    name: 'assignments',
    title: 'Assignments',
    records: view.held.assignments,
    empty: 'None yet. POST /exam-participants/assign makes one; then start and finish the exam here.',
    content: (rows) =>
      table('assignment', rows, { ...pairColumns(view), State: (row) => assignmentState(row, view) }),
    below: assignForm(view),
  });
}

function assignForm({ held: { participants, exams } }: View): Markup {
  if (participants.length === 0 || exams.length === 0) return html``;
  return opening(
    'add-assignment',
    'Assign a participant',
    form(
      '/exams/assign',
      {},
      html`${choice('assign-participant', 'participant_id', 'Participant', participants)}
        ${choice('assign-exam', 'exam_id', 'Exam', exams)} ${button('assign', 'Assign')}`,
    ),
  );
}

function assignmentState(assignment: AssignmentRecord, { who, moment }: View): Markup {
  const { participant_id, finished_at: finished } = assignment;
  return html`<div class="step">
    <span>${stateOf(assignment, moment)}</span>
    ${finished === null ? nextSteps(assignment, who(participant_id)) : ''}
  </div>`;
}

function stateOf(
  { started_at: started, finished_at: finished }: AssignmentRecord,
  moment: View['moment'],
): Markup {
  if (finished !== null) return html`${badge('finished', 'good')} ${moment(finished)}`;
  return started === null ? badge('assigned') : html`${badge('started', 'warn')} ${moment(started)}`;
}

function nextSteps(assignment: AssignmentRecord, who: Markup): Markup {
  const { id, participant_id, exam_id, started_at: started } = assignment;
  const pair = { participant_id, exam_id };
  if (started === null) {
    return html`<span class="actions">
      ${form('/exams/start', pair, button(`start-${id}`, 'Start', html`the exam of ${who}`))}
      ${form('/exams/unassign', pair, button(`unassign-${id}`, 'Unassign', who))}
    </span>`;
  }
  return form(
    '/exams/finish',
    pair,
    html`<label><span class="sight">Score of ${who}</span>
        <input id="score-${id}" name="score" type="number" step="0.01" value="80" title="Empty for a result without a score"></label>
      ${button(`finish-${id}`, 'Finish', html`the exam of ${who}`)}`,
  );
}

/** Results, which can be scored again. */
export function resultsPart(view: View): Markup {
  const { held, query, who, moment } = view;
  return listPart(query, {
    name: 'results',
    title: 'Results',
    records: held.results,
    empty: 'None yet. A result comes when an exam is finished.',
    content: (rows) =>
      table('result', rows, {
        ...pairColumns(view),
        Status: ({ status, status_label, end_at }) =>
          html`${badge(`${status} ${status_label}`, 'good')} ${moment(end_at)}`,
        Score: (result) => resultScore(result, who(result.participant_id)),
      }),
  });
}

function resultScore(result: ResultRecord, who: Markup): Markup {
  return html`<div class="step">
    <span class="number">${result.score ?? 'none yet'}</span>
    ${opening(`rescore-${result.id}`, 'Re-score', rescoreForm(result, who), who)}
  </div>`;
}

function rescoreForm({ id, score }: ResultRecord, who: Markup): Markup {
  return form(
    '/results/rescore',
    { result_id: id },
    html`<label>New score <span class="sight">of ${who}</span>
        <input id="new-score-${id}" name="score" type="number" step="0.01" value="${score ?? ''}" required></label>
      ${button(`save-score-${id}`, 'Save', who)}`,
  );
}

import { html } from 'hono/html';
import type { AssignmentRecord, ResultRecord } from '../emulator/state/records.ts';
import { button, choice, form, opening } from './forms.ts';
import { badge, listPart, type Markup, newestFirst, table } from './list.ts';
import type { View } from './view.ts';

/** Who is assigned to which exam, and what can happen next. */
export function assignmentsPart(view: View): Markup {
  const { held, query } = view;
  return listPart('assignments', 'Assignments', newestFirst(held.assignments, query, 'assignments'), query, {
    empty: 'None yet. POST /exam-participants/assign makes one; then start and finish the exam here.',
    content: (rows) =>
      table(
        ['Participant', 'Exam', 'State'],
        rows.map((row) => assignmentRow(row, view)),
      ),
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

function assignmentRow(assignment: AssignmentRecord, { who, which, moment }: View): Markup {
  const { id, participant_id, exam_id, finished_at: finished } = assignment;
  return html`<tr id="assignment-${id}">
    <td>${who(participant_id)}</td>
    <td>${which(exam_id)}</td>
    <td>
      <div class="step">
        <span>${stateOf(assignment, moment)}</span>
        ${finished === null ? nextSteps(assignment, who(participant_id)) : ''}
      </div>
    </td>
  </tr>`;
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
  const { held, query } = view;
  return listPart('results', 'Results', newestFirst(held.results, query, 'results'), query, {
    empty: 'None yet. A result comes when an exam is finished.',
    content: (rows) =>
      table(
        ['Participant', 'Exam', 'Status', 'Score'],
        rows.map((row) => resultRow(row, view)),
      ),
  });
}

function resultRow(result: ResultRecord, { who, which, moment }: View): Markup {
  const { id, participant_id, exam_id, score, status, status_label, end_at } = result;
  return html`<tr id="result-${id}">
    <td>${who(participant_id)}</td>
    <td>${which(exam_id)}</td>
    <td>${badge(`${status} ${status_label}`, 'good')} ${moment(end_at)}</td>
    <td>
      <div class="step">
        <span class="number">${score ?? 'none yet'}</span>
        ${opening(`rescore-${id}`, 'Re-score', rescoreForm(result, who(participant_id)), who(participant_id))}
      </div>
    </td>
  </tr>`;
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

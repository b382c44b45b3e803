import { html } from 'hono/html';
import type { AssignmentRecord } from '../emulator/state/records.ts';
import { badge, listPart, type Markup, newestFirst, table } from './list.ts';
import type { View } from './view.ts';

/** Participants, exams, assignments and results as shown on the page, without passwords. */
export function recordParts(view: View): Record<RecordPart, Markup> {
  const { emulator, held } = view;
  const exams = new Map(held.exams.map(({ id, name }) => [id, name]));
  const who = (id: number) =>
    html`${emulator.control.participant(id)?.name ?? ''} <span class="quiet">#${id}</span>`;
  const which = (id: number) => html`${exams.get(id) ?? ''} <span class="quiet">#${id}</span>`;
  return {
    assignments: assignments(view, { who, which }),
    participants: participants(view),
    exams: examList(view),
    results: results(view, { who, which }),
  };
}

type RecordPart = 'participants' | 'exams' | 'assignments' | 'results';
type Names = { who: (id: number) => Markup; which: (id: number) => Markup };

function participants({ held, query }: View): Markup {
  const list = newestFirst(held.participants, query, 'participants');
  return listPart('participants', 'Participants', list, query, {
    empty: 'None yet. Import some with POST /participants/import, or start with a seed.',
    content: (rows) =>
      table(
        ['Participant', 'Email', 'State'],
        rows.map(
          ({ id, name, email, is_active, email_verified_at: verified }) => html`<tr id="participant-${id}">
            <td>${name} <span class="quiet">#${id}</span></td>
            <td class="email">${email.split(/(?<=@)/).map((part) => html`${part}<wbr>`)}</td>
            <td>
              ${is_active ? badge('active', 'good') : badge('inactive', 'bad')}
              ${verified === null ? badge('email not verified', 'warn') : ''}
            </td>
          </tr>`,
        ),
      ),
  });
}

function examList({ held, query }: View): Markup {
  const registered = new Map<number, number>();
  for (const { exam_id: exam } of held.assignments) registered.set(exam, (registered.get(exam) ?? 0) + 1);
  const list = newestFirst(held.exams, query, 'exams');
  return listPart('exams', 'Exams', list, query, {
    empty: 'None yet. Exams come from a seed, or from control.seedExams.',
    content: (rows) =>
      table(
        ['Exam', 'Short name', 'Assigned'],
        rows.map(({ id, name, name_short }) => {
          const count = registered.get(id) ?? 0;
          const unit = count === 1 ? 'participant' : 'participants';
          return html`<tr id="exam-${id}">
              <td>${name} <span class="quiet">#${id}</span></td>
              <td>${name_short}</td>
              <td class="number">${count} <span class="quiet">${unit}</span></td>
            </tr>`;
        }),
      ),
  });
}

function assignments({ held, query, moment }: View, { who, which }: Names): Markup {
  const list = newestFirst(held.assignments, query, 'assignments');
  return listPart('assignments', 'Assignments', list, query, {
    empty: 'None yet. POST /exam-participants/assign makes one; then start and finish the exam here.',
    content: (rows) =>
      table(
        ['Participant', 'Exam', 'State'],
        rows.map(
          (assignment) => html`<tr id="assignment-${assignment.id}">
            <td>${who(assignment.participant_id)}</td>
            <td>${which(assignment.exam_id)}</td>
            <td>
              <div class="step">
                <span>${stateOf(assignment, moment)}</span>
                ${assignment.finished_at === null ? nextStep(assignment, who(assignment.participant_id)) : ''}
              </div>
            </td>
          </tr>`,
        ),
      ),
  });
}

function stateOf(
  { started_at: started, finished_at: finished }: AssignmentRecord,
  moment: View['moment'],
): Markup {
  if (finished !== null) return html`${badge('finished', 'good')} ${moment(finished)}`;
  return started === null ? badge('assigned') : html`${badge('started', 'warn')} ${moment(started)}`;
}

function nextStep(assignment: AssignmentRecord, who: Markup): Markup {
  const { id, participant_id, exam_id, started_at: started } = assignment;
  const hidden = html`<input type="hidden" name="participant_id" value="${participant_id}">
    <input type="hidden" name="exam_id" value="${exam_id}">`;
  if (started === null) {
    return html`<form method="post" action="/__emulator/exams/start">
      ${hidden}
      <button id="start-${id}">Start<span class="sight"> the exam of ${who}</span></button>
    </form>`;
  }
  return html`<form method="post" action="/__emulator/exams/finish">
    ${hidden}
    <label><span class="sight">Score of ${who}</span>
      <input id="score-${id}" name="score" type="number" step="0.01" value="80" title="Empty for a result without a score"></label>
    <button id="finish-${id}">Finish<span class="sight"> the exam of ${who}</span></button>
  </form>`;
}

function results({ held, query, moment }: View, { who, which }: Names): Markup {
  const list = newestFirst(held.results, query, 'results');
  return listPart('results', 'Results', list, query, {
    empty: 'None yet. A result comes when an exam is finished.',
    content: (rows) =>
      table(
        ['Participant', 'Exam', 'Score', 'Status', 'Finished'],
        rows.map(
          (result) => html`<tr id="result-${result.id}">
            <td>${who(result.participant_id)}</td>
            <td>${which(result.exam_id)}</td>
            <td class="number">${result.score ?? 'none yet'}</td>
            <td>${badge(`${result.status} ${result.status_label}`, 'good')}</td>
            <td>${moment(result.end_at)}</td>
          </tr>`,
        ),
      ),
  });
}

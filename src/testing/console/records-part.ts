import { html } from 'hono/html';
import type { ExamRecord, ParticipantRecord } from '../emulator/state/records.ts';
import { button, checkbox, field, form, opening } from './forms.ts';
import { badge, listPart, type Markup, newestFirst, table } from './list.ts';
import type { View } from './view.ts';

/** Participants with their state, which can be changed, and without their passwords. */
export function participantsPart({ held, query }: View): Markup {
  return listPart(
    'participants',
    'Participants',
    newestFirst(held.participants, query, 'participants'),
    query,
    {
      empty: 'None yet. Import some with POST /participants/import, start with a seed, or add one here.',
      content: (rows) => table(['Participant', 'Email', 'State'], rows.map(participantRow)),
      below: opening(
        'add-participant',
        'Add a participant',
        form(
          '/participants/create',
          {},
          html`${field('new-name', 'name', 'Name')} ${field('new-email', 'email', 'Email', html`type="email"`)}
          ${field('new-password', 'password', 'Password')}
          ${checkbox('new-active', 'active', 'active', true)}
          ${checkbox('new-verified', 'verified', 'email verified', true)} ${button('create-participant', 'Add')}
          <p class="quiet">What you leave empty is made up.</p>`,
        ),
      ),
    },
  );
}

function participantRow(participant: ParticipantRecord): Markup {
  const { id, name, email, is_active, email_verified_at: verified } = participant;
  return html`<tr id="participant-${id}">
    <td>${name} <span class="quiet">#${id}</span></td>
    <td class="email">${email.split(/(?<=@)/).map((part) => html`${part}<wbr>`)}</td>
    <td>
      <div class="step">
        <span>${is_active ? badge('active', 'good') : badge('inactive', 'bad')}
          ${verified === null ? badge('email not verified', 'warn') : ''}</span>
        ${opening(`edit-${id}`, 'Edit', stateForm(participant), name)}
      </div>
    </td>
  </tr>`;
}

function stateForm({ id, name, is_active, email_verified_at }: ParticipantRecord): Markup {
  return form(
    '/participants/state',
    { participant_id: id },
    html`${checkbox(`active-${id}`, 'active', 'active', is_active)}
      ${checkbox(`verified-${id}`, 'verified', 'email verified', email_verified_at !== null)}
      ${button(`save-${id}`, 'Save', name)}`,
  );
}

/** Exams, and how many participants each has. */
export function examsPart({ held, query }: View): Markup {
  const registered = new Map<number, number>();
  for (const { exam_id: exam } of held.assignments) registered.set(exam, (registered.get(exam) ?? 0) + 1);
  return listPart('exams', 'Exams', newestFirst(held.exams, query, 'exams'), query, {
    empty: 'None yet. Exams come from a seed, or you add one here.',
    content: (rows) =>
      table(
        ['Exam', 'Short name', 'Assigned'],
        rows.map((exam) => examRow(exam, registered.get(exam.id) ?? 0)),
      ),
    below: opening(
      'add-exam',
      'Add an exam',
      form(
        '/exams/create',
        {},
        html`${field('new-exam-name', 'name', 'Name')} ${field('new-exam-short', 'name_short', 'Short name')}
          ${button('create-exam', 'Add')}
          <p class="quiet">What you leave empty is made up.</p>`,
      ),
    ),
  });
}

function examRow({ id, name, name_short }: ExamRecord, registered: number): Markup {
  return html`<tr id="exam-${id}">
    <td>${name} <span class="quiet">#${id}</span></td>
    <td>${name_short}</td>
    <td class="number">${registered} <span class="quiet">${registered === 1 ? 'participant' : 'participants'}</span></td>
  </tr>`;
}

// Participants and exams on the console page.

import { html } from 'hono/html';
import type { ParticipantRecord } from '../emulator/state/records.ts';
import { button, checkbox, field, form, opening } from './forms.ts';
import { badge, listPart, type Markup, table } from './list.ts';
import type { View } from './view.ts';

const named = ({ id, name }: { readonly id: number; readonly name: string }) =>
  html`${name} <span class="quiet">#${id}</span>`;

/** Participants with their state, which can be changed, and without their passwords. */
export function participantsPart({ held, query }: View): Markup {
  return listPart(query, {
    name: 'participants',
    title: 'Participants',
    records: held.participants,
    empty: 'None yet. Import some with POST /participants/import, start with a seed, or add one here.',
    content: (rows) =>
      table('participant', rows, {
        Participant: named,
        Email: ({ email }) =>
          html`<span class="email">${email.split(/(?<=@)/).map((part) => html`${part}<wbr>`)}</span>`,
        State: participantState,
      }),
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
  });
}

function participantState(participant: ParticipantRecord): Markup {
  const { id, name, is_active, email_verified_at: verified } = participant;
  return html`<div class="step">
    <span>${is_active ? badge('active', 'good') : badge('inactive', 'bad')}
      ${verified === null ? badge('email not verified', 'warn') : ''}</span>
    ${opening(`edit-${id}`, 'Edit', stateForm(participant), name)}
  </div>`;
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
  return listPart(query, {
    name: 'exams',
    title: 'Exams',
    records: held.exams,
    empty: 'None yet. Exams come from a seed, or you add one here.',
    content: (rows) =>
      table('exam', rows, {
        Exam: named,
        'Short name': ({ name_short }) => html`${name_short}`,
        Assigned({ id }) {
          const count = registered.get(id) ?? 0;
          return html`<span class="number">${count} <span class="quiet">${count === 1 ? 'participant' : 'participants'}</span></span>`;
        },
      }),
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

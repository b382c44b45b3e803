// The sample data that an emulator gets with `--demo` or from the control interface.

import type { EmulatorControl } from '../emulator-control.ts';

/** Address of the receivers in the examples. */
const DEMO_RECEIVER = 'http://127.0.0.1:3000/webhooks';

/**
 * Creates a sample examination: exams, participants in every state, assignments, results and a webhook endpoint.
 *
 * @throws {RangeError} when its participants already exist
 */
export function seedDemo(control: EmulatorControl): void {
  const [maths, english, physics] = control
    .seedExams([
      { name: 'Mathematics, final', name_short: 'MATH-F' },
      { name: 'English reading/writing', name_short: 'ENG-RW' },
      { name: 'Física, laboratory', name_short: 'PHYS-L' },
    ])
    .map(({ id }) => id) as [number, number, number];
  const [ana, kofi, mei, zoe, jose, leila] = control
    .seedParticipants(
      [
        { name: 'Ana Putri' },
        { name: 'Kofi Eriksen' },
        { name: 'Mei Lin' },
        { name: 'Zoë Ångström' },
        { name: 'José Núñez', active: false },
        { name: 'Leila Haddad', verified: false },
      ].map((person) => ({ ...person, email: emailOf(person.name) })),
    )
    .map(({ id }) => id) as [number, number, number, number, number, number];
  control.seedResults([
    { participant_id: ana, exam_id: maths, score: 91 },
    { participant_id: kofi, exam_id: maths, score: 67.5 },
    { participant_id: zoe, exam_id: english, score: 78.25 },
  ]);
  control.seedAssignments([
    { participant_id: mei, exam_id: maths },
    { participant_id: ana, exam_id: english },
    { participant_id: jose, exam_id: english },
    { participant_id: leila, exam_id: physics },
  ]);
  control.startExam({ participant_id: ana, exam_id: english });
  control.seedWebhooks([{ url: DEMO_RECEIVER, description: 'Made up: results for the school register' }]);
}

function emailOf(name: string): string {
  const ascii = name.normalize('NFD').replace(/[^A-Za-z ]/g, '');
  return `${ascii.toLowerCase().replaceAll(' ', '.')}@example.test`;
}

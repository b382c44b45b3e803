// Fills an emulator: with the contents of a seed, or with sample data.

import type * as z from 'zod/mini';
import type { EmulatorControl } from '../emulator/emulator-api.ts';
import type { seed } from '../emulator/seeds/seed-schema.ts';

/**
 * Creates the contents of a seed, in the order in which they depend on each other.
 *
 * @throws {RangeError} when a row conflicts with existing data; the message names the part and the row
 */
export function seedAll(
  control: EmulatorControl,
  what: z.infer<typeof seed>,
): Record<keyof typeof what, unknown[]> {
  return {
    participants: control.seedParticipants(what.participants ?? 0),
    exams: control.seedExams(what.exams ?? 0),
    assignments: control.seedAssignments(what.assignments ?? []),
    results: control.seedResults(what.results ?? []),
    webhooks: control.seedWebhooks(what.webhooks ?? []),
  };
}

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

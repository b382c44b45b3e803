// Fills an emulator: with the contents of a seed, or with sample data.

import type * as z from 'zod/mini';
import type { Emulator, EmulatorControl } from '../emulator/emulator-api.ts';
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

/** The webhook endpoint of the sample data: the address of the receivers in the examples. */
export const demoWebhook = { url: 'http://127.0.0.1:3000/webhooks', secret: 'whsec_demo' } as const;

/**
 * Creates a sample examination: exams, participants in every state, assignments, results and a webhook endpoint. Their
 * ids are the same each time, as the guide names them.
 *
 * @throws {RangeError} when there are participants or exams already
 */
export function seedDemo({ control, snapshot }: Emulator): void {
  const { participants, exams } = snapshot();
  if (participants.length + exams.length > 0)
    throw new RangeError('The sample data needs an empty emulator: reset it first.');
  control.seedExams([
    { name: 'Mathematics, final', name_short: 'MATH-F' },
    { name: 'English reading/writing', name_short: 'ENG-RW' },
    { name: 'Física, laboratory', name_short: 'PHYS-L' },
  ]);
  control.seedParticipants([
    { name: 'Ana Putri', email: 'ana.putri@example.test' },
    { name: 'Kofi Eriksen', email: 'kofi.eriksen@example.test' },
    { name: 'Mei Lin', email: 'mei.lin@example.test' },
    { name: 'Zoë Ångström', email: 'zoe.angstrom@example.test' },
    { name: 'José Núñez', email: 'jose.nunez@example.test', active: false },
    { name: 'Leila Haddad', email: 'leila.haddad@example.test', verified: false },
  ]);
  control.seedResults([
    { participant_id: 1, exam_id: 1, score: 91 },
    { participant_id: 2, exam_id: 1, score: 67.5 },
    { participant_id: 4, exam_id: 2, score: 78.25 },
  ]);
  control.seedAssignments([
    { participant_id: 3, exam_id: 1 },
    { participant_id: 1, exam_id: 2 },
    { participant_id: 5, exam_id: 2 },
    { participant_id: 6, exam_id: 3 },
  ]);
  control.startExam({ participant_id: 1, exam_id: 2 });
  control.seedWebhooks([{ ...demoWebhook, description: 'Made up: results for the school register' }]);
}

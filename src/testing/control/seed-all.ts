import type * as z from 'zod/mini';
import type { EmulatorControl } from '../emulator/control.ts';
import type { seed } from './seed-input.ts';

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

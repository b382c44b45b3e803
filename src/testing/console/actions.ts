import * as z from 'zod/mini';
import { isEventName } from '../emulator/domain/events.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { injectPreset } from './fault-presets.ts';

const whole = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number));
const pair = z.object({ participant_id: whole, exam_id: whole });
const decimal = z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number));
const finished = z.extend(pair, { score: decimal });
const test = z.object({ endpoint_id: whole, event: z.string() });
const injection = z.object({ preset: z.string(), on: z.string(), times: whole });

/** What a form of the page does, given its fields; gives the words that tell the reader. */
export type Action = (emulator: Emulator, fields: unknown) => string;

/** The forms of the page, by the path that they are sent to. Each throws where it cannot be done. */
export const actions: Readonly<Record<string, Action>> = {
  '/console/exams/start': ({ control }, fields) => {
    const { participant_id, exam_id } = read(pair, fields);
    control.startExam({ participant_id, exam_id });
    return `Participant ${participant_id} started exam ${exam_id}.`;
  },
  '/console/exams/finish': ({ control }, fields) => {
    const values = read(finished, fields);
    const { id, score } = control.finishExam(values);
    return `Participant ${values.participant_id} finished exam ${values.exam_id}: result ${id}, score ${score}.`;
  },
  '/console/webhooks/test': ({ control }, fields) => {
    const { endpoint_id, event } = read(test, fields);
    control.testDelivery(endpoint_id, isEventName(event) ? event : undefined);
    return `Queued a test delivery to endpoint ${endpoint_id}.`;
  },
  '/console/faults/inject': (emulator, fields) => {
    const { preset, on, times } = read(injection, fields);
    injectPreset(emulator, preset, times, on);
    return times === 1 ? 'The fault strikes once.' : `The fault strikes ${times} times.`;
  },
  '/console/faults/clear': ({ faults }) => {
    faults.clear();
    return 'No fault is switched on.';
  },
};

/** @throws {TypeError} when fields cannot be used; it names them */
function read<T>(schema: z.ZodMiniType<T>, fields: unknown): T {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  throw new TypeError(
    `Not usable: ${result.error.issues.map(({ path }) => path.join('.').replaceAll('_', ' ')).join(', ')}.`,
  );
}

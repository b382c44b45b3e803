import * as z from 'zod/mini';
import type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './records.ts';
import { type LastIds, Store } from './store.ts';

/**
 * Everything that an emulator stores, including passwords and signing secrets, as plain data that can be converted to
 * JSON and back. Times are milliseconds since the epoch.
 */
export interface EmulatorSnapshot {
  /** Version of the format. */
  readonly version: 1;
  /** Every participant, with the password. */
  readonly participants: readonly ParticipantRecord[];
  /** Every exam. */
  readonly exams: readonly ExamRecord[];
  /** Every assignment. */
  readonly assignments: readonly AssignmentRecord[];
  /** Every result. */
  readonly results: readonly ResultRecord[];
  /** Every webhook endpoint, with its signing secret. */
  readonly endpoints: readonly EndpointRecord[];
  /** By endpoint, each in the order in which they were queued. */
  readonly deliveries: readonly DeliveryRecord[];
  /** The highest id used so far, by kind. */
  readonly last_ids: LastIds;
}

const moment = z.number();
const pastMoment = z.nullable(moment);
const id = z.int().check(z.positive());

const snapshot = z.object({
  version: z.literal(1),
  participants: z.array(
    z.object({
      id,
      email: z.string(),
      name: z.string(),
      password: z.string(),
      is_active: z.boolean(),
      email_verified_at: pastMoment,
      created_at: moment,
      updated_at: moment,
    }),
  ),
  exams: z.array(
    z.object({
      id,
      name: z.string(),
      name_short: z.string(),
      quiz_name: z.string(),
      created_at: moment,
      updated_at: moment,
    }),
  ),
  assignments: z.array(
    z.object({
      id,
      participant_id: id,
      exam_id: id,
      token: z.string(),
      started_at: pastMoment,
      finished_at: pastMoment,
    }),
  ),
  results: z.array(
    z.object({
      id,
      assignment_id: id,
      participant_id: id,
      exam_id: id,
      status: z.int(),
      status_label: z.string(),
      score: z.number(),
      start_at: moment,
      end_at: moment,
      created_at: moment,
      updated_at: moment,
    }),
  ),
  endpoints: z.array(
    z.object({
      id,
      url: z.string(),
      description: z.nullable(z.string()),
      events: z.array(z.string()),
      is_active: z.boolean(),
      is_disabled_by_system: z.boolean(),
      disabled_at: pastMoment,
      consecutive_failures: z.int(),
      last_success_at: pastMoment,
      last_failure_at: pastMoment,
      created_at: moment,
      secret: z.string(),
    }),
  ),
  deliveries: z.array(
    z.object({
      id: z.string(),
      endpoint_id: id,
      event: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      attempts: z.int(),
      response_code: z.nullable(z.int()),
      response_body: z.nullable(z.string()),
      error_message: z.nullable(z.string()),
      payload: z.object({
        event: z.string(),
        created_at: z.string(),
        data: z.record(z.string(), z.unknown()),
      }),
      delivered_at: pastMoment,
      created_at: moment,
    }),
  ),
  last_ids: z.object({ assignment: z.int(), endpoint: z.int() }),
});

export function takeSnapshot(store: Store): EmulatorSnapshot {
  const endpoints = store.endpoints();
  return {
    version: 1,
    participants: [...store.participants.rows],
    exams: [...store.exams.rows],
    assignments: store.assignments(),
    results: [...store.results.rows],
    endpoints,
    deliveries: endpoints.flatMap((endpoint) => store.deliveries(endpoint.id)),
    last_ids: store.lastIds,
  };
}

/**
 * Creates a store from a snapshot.
 *
 * @throws {TypeError} when the data is not a snapshot
 * @throws {RangeError} when its records contradict each other
 */
export function restoreStore(data: unknown, changed: () => void): Store {
  const result = snapshot.safeParse(data);
  if (!result.success) {
    const [issue] = result.error.issues;
    const place = issue?.path.join('.') || 'the whole';
    throw new TypeError(`This is not a snapshot of an emulator: ${place} is invalid.`);
  }
  const held: EmulatorSnapshot = result.data;
  const store = new Store(changed);
  for (const participant of held.participants) store.addParticipant(participant);
  for (const exam of held.exams) store.exams.insert(exam);
  for (const assignment of held.assignments) store.insertAssignment(assignment);
  for (const examResult of held.results) store.addResult(examResult);
  for (const endpoint of held.endpoints) store.insertEndpoint(endpoint);
  for (const delivery of held.deliveries) store.saveDelivery(delivery);
  store.lastIds = held.last_ids;
  return store;
}

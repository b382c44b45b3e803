// The whole contents of an emulator as plain data, and back.

import * as z from 'zod/mini';
import { messageOf } from '../../../util/errors.ts';
import { isObject } from '../../../util/json.ts';
import type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './records.ts';
import { type LastIds, type Pair, Store } from './store.ts';

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

/** The version of the format that this emulator writes and reads. */
const VERSION = 1;

const moment = z.number();
const pastMoment = z.nullable(moment);
const id = z.int().check(z.positive());

const snapshot = z.object({
  version: z.literal(VERSION),
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
      score: z.nullable(z.number()),
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
    version: VERSION,
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
 * Creates a store from a snapshot. The last ids are raised to those of its records.
 *
 * @throws {TypeError} when the data is not a snapshot
 * @throws {RangeError} when its records contradict each other; the message names the record
 */
export function restoreStore(data: unknown, changed: () => void): Store {
  const held = checkedSnapshot(data);
  const store = new Store(changed);
  each(held, 'participants', (participant) => store.addParticipant(participant));
  each(held, 'exams', (exam) => store.exams.insert(exam));
  const assignmentIds = new Map<number, Pair>();
  each(held, 'assignments', (assignment) => {
    demand(!assignmentIds.has(assignment.id), `the id ${assignment.id} is taken`);
    demandPair(store, assignment);
    demandOrder(assignment.started_at, assignment.finished_at);
    assignmentIds.set(assignment.id, store.insertAssignment(assignment));
  });
  each(held, 'results', (result) => {
    demandPair(store, result);
    demandOrder(result.start_at, result.end_at);
    // The assignment of a result may have been removed; if it is there, it is the one of the same pair.
    const pair = assignmentIds.get(result.assignment_id) ?? result;
    demand(
      pair.participant_id === result.participant_id && pair.exam_id === result.exam_id,
      `the assignment ${result.assignment_id} is of participant ${pair.participant_id} and exam ${pair.exam_id}`,
    );
    store.addResult(result);
  });
  each(held, 'endpoints', (endpoint) => store.insertEndpoint(endpoint));
  const deliveryIds = new Set<string>();
  each(held, 'deliveries', (delivery) => {
    demand(!deliveryIds.has(delivery.id), `the id ${delivery.id} is taken`);
    demand(
      store.endpoint(delivery.endpoint_id) !== undefined,
      `there is no endpoint ${delivery.endpoint_id}`,
    );
    deliveryIds.add(delivery.id);
    store.saveDelivery(delivery);
  });
  store.raiseLastIds(held.last_ids);
  return store;
}

function checkedSnapshot(data: unknown): EmulatorSnapshot {
  const version = isObject(data) ? data['version'] : undefined;
  if (typeof version === 'number' && version !== VERSION) {
    throw new TypeError(`This snapshot has version ${version}, this emulator reads ${VERSION}.`);
  }
  const result = snapshot.safeParse(data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') || 'the whole';
  throw new TypeError(`This is not a snapshot of an emulator: ${place} is invalid.`);
}

type Part = Exclude<keyof EmulatorSnapshot, 'version' | 'last_ids'>;

/** Takes one record after the other. Errors name the place of theirs. */
function each<Name extends Part>(
  held: EmulatorSnapshot,
  name: Name,
  take: (record: EmulatorSnapshot[Name][number]) => void,
): void {
  for (const [index, record] of held[name].entries()) {
    try {
      take(record);
    } catch (cause) {
      throw new RangeError(`This snapshot contradicts itself at ${name}.${index}: ${messageOf(cause)}`, {
        cause,
      });
    }
  }
}

/** @throws {RangeError} when it does not hold */
function demand(holds: boolean, message: string): void {
  if (!holds) throw new RangeError(`${message}.`);
}

function demandPair(store: Store, { participant_id, exam_id }: Pair): void {
  demand(store.participants.get(participant_id) !== undefined, `there is no participant ${participant_id}`);
  demand(store.exams.get(exam_id) !== undefined, `there is no exam ${exam_id}`);
}

function demandOrder(start: number | null, end: number | null): void {
  demand(end === null || start !== null, 'it was finished without being started');
  demand(end === null || start === null || start <= end, 'it was finished before it was started');
}

import type { WebhookEventName } from '../../schemas/webhook-event.ts';
import { queueTestDelivery } from './deliveries/test-delivery.ts';
import { requireEndpoint } from './domain/endpoints.ts';
import { finishExam, rescoreResult, startExam } from './domain/exam-taking.ts';
import type { ServiceWorld } from './http/handler.ts';
import type { ServiceSettings } from './options.ts';
import { seedAssignments, seedExams, seedParticipants, seedResults, seedWebhooks } from './seeding.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds.ts';
import type {
  AssignmentRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './state/records.ts';
import type { Pair } from './state/store.ts';

/**
 * What the service does by itself or its administrators do, and no operation does. Records that are handed
 * out are as they were at that moment; their dates are milliseconds since the epoch.
 */
export interface EmulatorControl {
  /**
   * Puts participants in place, past the ceiling and without an event: so many made-up ones, or these.
   *
   * @throws {RangeError} when an id or an email is taken
   */
  seedParticipants(seeds: number | readonly ParticipantSeed[]): ParticipantRecord[];
  /**
   * Puts exams in place: so many made-up ones, or these.
   *
   * @throws {RangeError} when an id is taken
   */
  seedExams(seeds: number | readonly ExamSeed[]): ExamRecord[];
  /**
   * Puts results in place, without an event.
   *
   * @throws {RangeError} when a participant or an exam is missing
   */
  seedResults(seeds: readonly ResultSeed[]): ResultRecord[];
  /**
   * Assigns participants to exams, past the conditions and the ceiling and without an event.
   *
   * @throws {RangeError} when a participant or an exam is missing, or they are assigned already
   */
  seedAssignments(pairs: readonly Pair[]): AssignmentRecord[];
  /**
   * Registers webhook endpoints.
   *
   * @throws {Error} when there would be more than five
   */
  seedWebhooks(seeds: readonly WebhookSeed[]): EndpointRecord[];
  /** The participant as the emulator holds it, password included. */
  participant(id: number): ParticipantRecord | undefined;
  /** The assignment as the emulator holds it. */
  assignment(pair: Pair): AssignmentRecord | undefined;
  /**
   * Activates or deactivates a participant, verifies the email or takes that back.
   *
   * @throws {RangeError} when there is no such participant
   */
  setParticipant(id: number, state: { active?: boolean; verified?: boolean }): ParticipantRecord;
  /**
   * The participant starts an exam that is assigned.
   *
   * @throws {Error} when it is not assigned or has started already
   */
  startExam(pair: Pair): AssignmentRecord;
  /**
   * The participant finishes an exam that has started: `exam_result.completed`.
   *
   * @throws {Error} when it is not assigned, has not started or has finished already
   * @throws {RangeError} when the score is not a finite number
   */
  finishExam(pair: Pair & { readonly score: number }): ResultRecord;
  /**
   * A result gets another score: `exam_result.scored`.
   *
   * @throws {Error} when there is no such result
   * @throws {RangeError} when the score is not a finite number
   */
  rescore(resultId: number, score: number): ResultRecord;
  /**
   * The service sends a test delivery, as `POST /webhooks/{id}/test` asks it to. Default event:
   * `exam_result.completed`.
   *
   * @throws {Error} when there is no such endpoint or it is not active
   */
  testDelivery(endpointId: number, event?: WebhookEventName): void;
  /**
   * Changes what the emulated service is like, for every request from now on; what is left out stays.
   *
   * @throws {RangeError} when a number is invalid, or there is no such style
   */
  configure(changes: ServiceSettings): void;
  /** An inactive client is answered 403 to everything. It is active at first. */
  setClientActive(active: boolean): void;
}

/** `world` and the switches lead to the state as it is at the call: a reset puts a new one in place. */
export function createControl(
  world: () => ServiceWorld,
  switches: Pick<EmulatorControl, 'configure' | 'setClientActive'>,
): EmulatorControl {
  return {
    seedParticipants: (seeds) => seedParticipants(world(), seeds),
    seedExams: (seeds) => seedExams(world(), seeds),
    seedAssignments: (pairs) => seedAssignments(world(), pairs),
    seedResults: (seeds) => seedResults(world(), seeds),
    seedWebhooks: (seeds) => seedWebhooks(world(), seeds),
    participant: (id) => world().store.participants.get(id),
    assignment: (pair) => world().store.assignment(pair),
    setParticipant(id, { active, verified }) {
      const { settings, store } = world();
      const participant = store.participants.get(id);
      if (participant === undefined) throw new RangeError(`There is no participant ${id}.`);
      const now = settings.clock.now();
      return store.participants.replace({
        ...participant,
        is_active: active ?? participant.is_active,
        email_verified_at:
          verified === undefined
            ? participant.email_verified_at
            : verified
              ? (participant.email_verified_at ?? now)
              : null,
        updated_at: now,
      });
    },
    startExam: (pair) => startExam(world(), pair),
    finishExam: ({ score, ...pair }) => finishExam(world(), pair, score),
    rescore: (resultId, score) => rescoreResult(world(), resultId, score),
    testDelivery: (endpointId, event) =>
      queueTestDelivery(world(), requireEndpoint(world(), endpointId), event),
    ...switches,
  };
}

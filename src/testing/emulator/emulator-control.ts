import type { WebhookEventName } from '../../schemas/webhook-event.ts';
import { queueTestDelivery } from './domain/test-delivery.ts';
import { assign, unassign } from './domain/assignments.ts';
import { updateEndpoint } from './domain/endpoints.ts';
import { finishExam, rescoreResult, startExam } from './domain/exam-taking.ts';
import type { ServiceWorld } from './http/handler.ts';
import type { ServiceSettings } from './service/emulator-options.ts';
import {
  checkPair,
  seedAssignments,
  seedExams,
  seedParticipants,
  seedResults,
  seedWebhooks,
} from './seeds/seeding.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds/seeds.ts';
import type {
  AssignmentRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './state/records.ts';
import type { Pair } from './state/store.ts';

/**
 * What the service does by itself, or its administrators do, without a request. Returned records show the state at that
 * moment; their dates are milliseconds since the epoch.
 */
export interface EmulatorControl {
  /**
   * Creates participants, regardless of the limit and without an event: this many made-up ones, or the given ones.
   *
   * @throws {RangeError} when an id or an email is taken
   */
  seedParticipants(seeds: number | readonly ParticipantSeed[]): ParticipantRecord[];
  /**
   * Creates exams: this many made-up ones, or the given ones.
   *
   * @throws {RangeError} when an id is taken
   */
  seedExams(seeds: number | readonly ExamSeed[]): ExamRecord[];
  /**
   * Creates results, without an event.
   *
   * @throws {RangeError} when a participant or an exam is missing, or a result ends before it starts
   */
  seedResults(seeds: readonly ResultSeed[]): ResultRecord[];
  /**
   * Assigns participants to exams, regardless of conditions and limits and without an event.
   *
   * @throws {RangeError} when a participant or an exam is missing, or they are already assigned
   */
  seedAssignments(pairs: readonly Pair[]): AssignmentRecord[];
  /**
   * Registers webhook endpoints.
   *
   * @throws {Error} when there would be more than five
   */
  seedWebhooks(seeds: readonly WebhookSeed[]): EndpointRecord[];
  /** The participant as the emulator stores it, including the password. */
  participant(id: number): ParticipantRecord | undefined;
  /** The assignment as the emulator stores it. */
  assignment(pair: Pair): AssignmentRecord | undefined;
  /**
   * Activates or deactivates a participant, or sets whether the email is verified.
   *
   * @throws {RangeError} when there is no such participant
   */
  setParticipant(id: number, state: { active?: boolean; verified?: boolean }): ParticipantRecord;
  /**
   * Assigns a participant to an exam by the rules of the service, as `POST /exam-participants/assign` does:
   * `exam_participant.registered`.
   *
   * @throws {RangeError} when there is no such participant or exam
   * @throws {Error} when a rule forbids it; the message names the rule
   */
  assign(pair: Pair): AssignmentRecord;
  /**
   * Cancels an assignment, as `POST /exam-participants/unassign` does: `exam_participant.unregistered`.
   *
   * @throws {RangeError} when there is no such participant or exam
   * @throws {Error} when they are not assigned, or the participant has started
   */
  unassign(pair: Pair): void;
  /**
   * The participant starts an assigned exam.
   *
   * @throws {Error} when it is not assigned or has already started
   */
  startExam(pair: Pair): AssignmentRecord;
  /**
   * The participant finishes an exam that has started: `exam_result.completed`. Without a score, the result has none
   * until `rescore` gives it one.
   *
   * @throws {Error} when it is not assigned, has not started or has already finished
   * @throws {RangeError} when the score is neither null nor a finite number
   */
  finishExam(pair: Pair & { readonly score?: number | null }): ResultRecord;
  /**
   * Changes the score of a result, or gives it one: `exam_result.scored`.
   *
   * @throws {Error} when there is no such result
   * @throws {RangeError} when the score is not a finite number
   */
  rescore(resultId: number, score: number): ResultRecord;
  /**
   * The service sends a test delivery, as with `POST /webhooks/{id}/test`. Default event: `exam_result.completed`.
   *
   * @throws {Error} when there is no such endpoint or it is not active
   */
  testDelivery(endpointId: number, event?: WebhookEventName): void;
  /**
   * Switches an endpoint on or off. Switched on, it counts as working again.
   *
   * @throws {RangeError} when there is no such endpoint
   */
  setWebhook(endpointId: number, state: { active: boolean }): EndpointRecord;
  /**
   * Deletes an endpoint with its deliveries.
   *
   * @throws {RangeError} when there is no such endpoint
   */
  removeWebhook(endpointId: number): void;
  /**
   * Sends a delivery once more, with its payload and a new signature; it does not wait for its next retry.
   *
   * @throws {RangeError} when there is no such delivery
   * @throws {Error} when its endpoint is not active, or it is being sent
   */
  resend(deliveryId: string): void;
  /**
   * Changes how the emulated service behaves, for every request from now on; settings left out stay as they are.
   *
   * @throws {RangeError} when a number is invalid, or a setting is none of its words
   */
  configure(changes: ServiceSettings): void;
  /** Every request of an inactive client is answered 403. It is active at first. */
  setClientActive(active: boolean): void;
  /** Whether the client is active. */
  isClientActive(): boolean;
}

/** `world` and the switches return the current state: a reset replaces it. */
export function createControl(
  world: () => ServiceWorld,
  switches: Pick<EmulatorControl, 'configure' | 'setClientActive' | 'isClientActive'>,
): EmulatorControl {
  function endpointOf(id: number): EndpointRecord {
    const endpoint = world().store.endpoint(id);
    if (endpoint === undefined) throw new RangeError(`There is no webhook endpoint ${id}.`);
    return endpoint;
  }

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
    assign(pair) {
      checkPair(world().store, pair);
      return assign(world(), pair);
    },
    unassign(pair) {
      checkPair(world().store, pair);
      unassign(world(), pair);
    },
    startExam: (pair) => startExam(world(), pair),
    finishExam: ({ score = null, ...pair }) => finishExam(world(), pair, score),
    rescore: (resultId, score) => rescoreResult(world(), resultId, score),
    testDelivery: (endpointId, event) => queueTestDelivery(world(), endpointOf(endpointId), event),
    setWebhook: (endpointId, { active }) =>
      updateEndpoint(world(), endpointOf(endpointId).id, { is_active: active }),
    removeWebhook: (endpointId) => world().store.removeEndpoint(endpointOf(endpointId).id),
    resend(deliveryId) {
      const { store, deliveries } = world();
      const delivery = store.delivery(deliveryId);
      if (delivery === undefined) throw new RangeError(`There is no delivery ${deliveryId}.`);
      if (!endpointOf(delivery.endpoint_id).is_active) throw new Error('The webhook endpoint is not active.');
      deliveries.resend(delivery);
    },
    ...switches,
  };
}

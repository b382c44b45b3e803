import type { WebhookEventName } from '../../schemas/webhook-event.ts';
import type { DeliveryAttempt } from './deliveries/attempt.ts';
import type { DeliveryFault, Fault, InjectedFault } from './faults/fault.ts';
import type { ReceivedRequest } from './http/request-log.ts';
import type { EmulatorServer, ListenOptions } from './http/server.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds/seeds.ts';
import type { EmulatorClock } from './service/clock.ts';
import type { EmulatorSettings, ServiceSettings } from './service/service-settings.ts';
import type {
  AssignmentRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './state/records.ts';
import type { EmulatorSnapshot } from './state/snapshot.ts';
import type { Assignment } from './state/store.ts';

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
   * @throws {RangeError} when a participant or an exam is missing, a time is none, or a result ends before it starts
   */
  seedResults(seeds: readonly ResultSeed[]): ResultRecord[];
  /**
   * Assigns participants to exams, regardless of conditions and limits and without an event.
   *
   * @throws {RangeError} when a participant or an exam is missing, or they are already assigned
   */
  seedAssignments(pairs: readonly Assignment[]): AssignmentRecord[];
  /**
   * Registers webhook endpoints.
   *
   * @throws {Error} when there would be more than five
   */
  seedWebhooks(seeds: readonly WebhookSeed[]): EndpointRecord[];
  /** The participant as the emulator stores it, including the password. */
  participant(id: number): ParticipantRecord | undefined;
  /** The assignment as the emulator stores it. */
  assignment(pair: Assignment): AssignmentRecord | undefined;
  /**
   * Activates or deactivates a participant, or sets whether the email is verified.
   *
   * @throws {RangeError} when there is no such participant
   */
  setParticipant(
    id: number,
    state: { active?: boolean | undefined; verified?: boolean | undefined },
  ): ParticipantRecord;
  /**
   * Assigns a participant to an exam by the rules of the service, as `POST /exam-participants/assign` does:
   * `exam_participant.registered`.
   *
   * @throws {RangeError} when there is no such participant or exam
   * @throws {Error} when a rule forbids it; the message names the rule
   */
  assign(pair: Assignment): AssignmentRecord;
  /**
   * Cancels an assignment, as `POST /exam-participants/unassign` does: `exam_participant.unregistered`.
   *
   * @throws {RangeError} when there is no such participant or exam
   * @throws {Error} when they are not assigned, or the participant has started
   */
  unassign(pair: Assignment): void;
  /**
   * The participant starts an assigned exam.
   *
   * @throws {Error} when it is not assigned or has already started
   */
  startExam(pair: Assignment): AssignmentRecord;
  /**
   * The participant finishes an exam that has started: `exam_result.completed`. Without a score, the result has none
   * until `rescore` gives it one.
   *
   * @throws {Error} when it is not assigned, has not started or has already finished
   * @throws {RangeError} when the score is neither null nor a finite number
   */
  finishExam(pair: Assignment & { readonly score?: number | null | undefined }): ResultRecord;
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
  /** Every request of an inactive client gets a 403. It is active at first. */
  setClientActive(active: boolean): void;
  /** Whether the client is active. */
  isClientActive(): boolean;
}

/** The exam administration service in memory. */
export interface Emulator {
  /**
   * The service as a function: handles a request to any origin whose path starts with `/api/v1`. It takes the same
   * arguments as `fetch` and can replace it; a redirect is returned, not followed.
   *
   * Rejects like `fetch` when a fault breaks the connection, and with the signal's reason when the caller aborts.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves HTTP in Node, by default on 127.0.0.1 and a free port: the service under `/api/v1`, and at `/` a page that
   * shows what the emulator contains.
   *
   * @throws {Error} when the port is taken
   */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** What happens without a request: create data, take exams, change states. */
  readonly control: EmulatorControl;
  /** Injects faults. */
  readonly faults: EmulatorFaults;
  /** The last requests received, oldest first: at most 10,000, and as many as fit into 32 MiB. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * The last delivery attempts, oldest first, in the order in which they ended: at most 10,000, and as many as fit into
   * 32 MiB.
   */
  readonly deliveries: readonly DeliveryAttempt[];
  /** The key that it accepts. */
  readonly apiKey: string;
  /** The clock given in the options, or the real one. */
  readonly clock: EmulatorClock;
  /** How the emulated service behaves now: the options, and the changes of `control.configure`. */
  readonly settings: EmulatorSettings;
  /**
   * Calls `listener` immediately for everything that happens, even after a reset. A listener that throws is reported
   * on the console.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: (activity: EmulatorActivity) => void): () => void;
  /** Resolves when no delivery attempt is in flight. It does not wait for scheduled retries. */
  settled(): Promise<void>;
  /** Everything that the emulator stores, except faults and its history. */
  snapshot(): EmulatorSnapshot;
  /**
   * Resets the emulator and loads a snapshot, which may have been converted to JSON and back. Pending deliveries are
   * resumed. If the snapshot is rejected, the emulator does not change.
   *
   * @throws {TypeError} when it is not a snapshot
   * @throws {RangeError} when a record is there twice
   */
  restore(snapshot: unknown): void;
  /**
   * Clears all data, requests, deliveries, scheduled retries and faults, and reverts changed settings. Delivery attempts
   * in flight are aborted and appear nowhere. The clock and open servers stay.
   */
  reset(): void;
}

/** Faults in requests and in deliveries. The oldest matching one strikes, one at a time. */
export interface EmulatorFaults {
  /**
   * Injects a failure into the next matching requests, `times` of them. `remove()` of the result takes it back.
   *
   * @throws {RangeError} when `skip`, `times` or a status is invalid
   * @throws {TypeError} when there is no such operation, effect or field, or a header or body cannot be sent
   */
  inject(fault: Fault): InjectedFault<Fault>;
  /**
   * Injects a failure into the next matching deliveries, `times` of them. `remove()` of the result takes it back.
   *
   * @throws {RangeError} when `skip` or `times` is invalid
   * @throws {TypeError} when there is no such event, effect or field
   */
  injectDelivery(fault: DeliveryFault): InjectedFault<DeliveryFault>;
  /** Faults that may still strike, oldest first, those for requests before those for deliveries. */
  readonly waiting: readonly InjectedFault[];
  /** Removes every fault. */
  clear(): void;
}

/**
 * Something that happened in an emulator:
 * - `request`: a request got its response, or its connection broke;
 * - `delivery`: a delivery attempt ended;
 * - `change`: a record or a fault has changed.
 */
export type EmulatorActivity =
  | { readonly type: 'request'; readonly request: ReceivedRequest; readonly attempt: null }
  | { readonly type: 'delivery'; readonly request: null; readonly attempt: DeliveryAttempt }
  | { readonly type: 'change'; readonly request: null; readonly attempt: null };

// The emulator's database: its tables, with indexes and ids.

import type { Except } from 'type-fest';
import { emailKey } from './keys.ts';
import type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './records.ts';
import { createTable, type Table } from './table.ts';

/** A participant and an exam by their ids, as in the assignment operations. */
export interface Pair {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Which results a list contains; both filters can be combined. */
export interface ResultFilter {
  readonly participant_id?: number | undefined;
  readonly exam_id?: number | undefined;
}

/** The last ids used. */
interface LastIds {
  readonly assignment: number;
  readonly endpoint: number;
}

/** Everything the emulator stores. It maintains its indexes and knows no rule of the service. */
export class Store {
  readonly participants: Table<ParticipantRecord>;
  readonly exams: Table<ExamRecord>;
  readonly results: Table<ResultRecord>;
  readonly #changed: () => void;
  readonly #emails = new Map<string, number>();
  readonly #assignments = new Map<string, AssignmentRecord>();
  readonly #assignedToExam = new Map<number, number>();
  readonly #endpoints = new Map<number, EndpointRecord>();
  readonly #deliveries = new Map<number, Map<string, DeliveryRecord>>();
  #lastAssignmentId = 0;
  #lastEndpointId = 0;

  /** @param changed Called on every change. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.participants = createTable(changed);
    this.exams = createTable(changed);
    this.results = createTable(changed);
  }

  /** The highest ids of records that can be removed, so that no id is used twice. */
  get lastIds(): LastIds {
    return { assignment: this.#lastAssignmentId, endpoint: this.#lastEndpointId };
  }

  /** Raises them; an id that a record has is never the next one. */
  raiseLastIds({ assignment, endpoint }: LastIds): void {
    this.#lastAssignmentId = Math.max(this.#lastAssignmentId, assignment);
    this.#lastEndpointId = Math.max(this.#lastEndpointId, endpoint);
  }

  participantByEmail(email: string): ParticipantRecord | undefined {
    const id = this.#emails.get(emailKey(email));
    return id === undefined ? undefined : this.participants.get(id);
  }

  addParticipant(participant: ParticipantRecord): ParticipantRecord {
    if (this.participantByEmail(participant.email) !== undefined) {
      throw new RangeError(`The email ${participant.email} is taken.`);
    }
    this.participants.insert(participant);
    this.#emails.set(emailKey(participant.email), participant.id);
    return participant;
  }

  /** All assignments, in the order in which they were made. */
  assignments(): AssignmentRecord[] {
    return [...this.#assignments.values()];
  }

  assignment(pair: Pair): AssignmentRecord | undefined {
    return this.#assignments.get(pairKey(pair));
  }

  /** How many participants are registered for the exam. */
  assignedTo(examId: number): number {
    return this.#assignedToExam.get(examId) ?? 0;
  }

  addAssignment(values: Except<AssignmentRecord, 'id'>): AssignmentRecord {
    return this.insertAssignment({ id: this.#lastAssignmentId + 1, ...values });
  }

  /** Adds an assignment that already has its id. */
  insertAssignment(assignment: AssignmentRecord): AssignmentRecord {
    if (this.assignment(assignment) !== undefined) {
      throw new RangeError(`The assignment ${pairKey(assignment)} already exists.`);
    }
    this.#assignedToExam.set(assignment.exam_id, this.assignedTo(assignment.exam_id) + 1);
    this.raiseLastIds({ assignment: assignment.id, endpoint: 0 });
    return this.replaceAssignment(assignment);
  }

  replaceAssignment(assignment: AssignmentRecord): AssignmentRecord {
    this.#assignments.set(pairKey(assignment), assignment);
    this.#changed();
    return assignment;
  }

  removeAssignment(pair: Pair): void {
    if (this.#assignments.delete(pairKey(pair))) {
      this.#assignedToExam.set(pair.exam_id, this.assignedTo(pair.exam_id) - 1);
      this.#changed();
    }
  }

  /** The results of a filtered list, the newest first. */
  resultsOf({ participant_id, exam_id }: ResultFilter): ResultRecord[] {
    const isMeant = (result: ResultRecord) =>
      (participant_id === undefined || result.participant_id === participant_id) &&
      (exam_id === undefined || result.exam_id === exam_id);
    return this.results.rows.filter(isMeant).reverse();
  }

  endpoints(): EndpointRecord[] {
    return [...this.#endpoints.values()];
  }

  endpoint(id: number): EndpointRecord | undefined {
    return this.#endpoints.get(id);
  }

  addEndpoint(values: Except<EndpointRecord, 'id'>): EndpointRecord {
    return this.insertEndpoint({ id: this.#lastEndpointId + 1, ...values });
  }

  /** Adds an endpoint that already has its id. */
  insertEndpoint(endpoint: EndpointRecord): EndpointRecord {
    if (this.#endpoints.has(endpoint.id)) throw new RangeError(`The endpoint ${endpoint.id} already exists.`);
    this.#deliveries.set(endpoint.id, new Map());
    this.raiseLastIds({ assignment: 0, endpoint: endpoint.id });
    return this.replaceEndpoint(endpoint);
  }

  replaceEndpoint(endpoint: EndpointRecord): EndpointRecord {
    this.#endpoints.set(endpoint.id, endpoint);
    this.#changed();
    return endpoint;
  }

  /** Removes an endpoint and its delivery history. */
  removeEndpoint(id: number): void {
    this.#endpoints.delete(id);
    this.#deliveries.delete(id);
    this.#changed();
  }

  /** The deliveries to an endpoint, in the order they were queued. */
  deliveries(endpointId: number): DeliveryRecord[] {
    return [...(this.#deliveries.get(endpointId)?.values() ?? [])];
  }

  delivery(id: string): DeliveryRecord | undefined {
    for (const deliveries of this.#deliveries.values()) {
      const delivery = deliveries.get(id);
      if (delivery !== undefined) return delivery;
    }
    return undefined;
  }

  /** Adds or replaces a delivery; has no effect once its endpoint is deleted. */
  saveDelivery(delivery: DeliveryRecord): DeliveryRecord {
    this.#deliveries.get(delivery.endpoint_id)?.set(delivery.id, delivery);
    this.#changed();
    return delivery;
  }
}

function pairKey({ participant_id, exam_id }: Pair): string {
  return `${participant_id}:${exam_id}`;
}

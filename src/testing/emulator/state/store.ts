// The emulator's database: its tables.

import { emailKey } from './keys.ts';
import type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './records.ts';
import { Table } from './table.ts';

/** A participant and an exam by their ids, as in the assignment operations. */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Which results a list contains; both filters can be combined. */
export type ResultFilter = { readonly [Name in keyof Assignment]?: number | undefined };

/** Everything the emulator stores. It knows no rule of the service. */
export class Store {
  readonly participants: Table<ParticipantRecord>;
  readonly exams: Table<ExamRecord>;
  readonly assignments: Table<AssignmentRecord>;
  readonly results: Table<ResultRecord>;
  readonly endpoints: Table<EndpointRecord>;
  readonly #changed: () => void;
  readonly #deliveries = new Map<string, DeliveryRecord>();

  /** @param changed Called on every change. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.participants = new Table(changed, {
      keyOf: ({ email }) => emailKey(email),
      taken: ({ email }) => `The email ${email} is taken.`,
    });
    this.exams = new Table(changed);
    this.assignments = new Table(changed, {
      keyOf: (pair) => pairKey(pair),
      taken: (pair) => `The assignment ${pairKey(pair)} already exists.`,
    });
    this.results = new Table(changed);
    this.endpoints = new Table(changed);
  }

  participantByEmail(email: string): ParticipantRecord | undefined {
    return this.participants.find(emailKey(email));
  }

  assignment(pair: Assignment): AssignmentRecord | undefined {
    return this.assignments.find(pairKey(pair));
  }

  /** How many participants are registered for the exam. */
  assignedTo(examId: number): number {
    return this.assignments.rows.filter(({ exam_id }) => exam_id === examId).length;
  }

  /** The results of a filtered list, the newest first. */
  resultsOf({ participant_id, exam_id }: ResultFilter): ResultRecord[] {
    const isMeant = (result: ResultRecord) =>
      (participant_id === undefined || result.participant_id === participant_id) &&
      (exam_id === undefined || result.exam_id === exam_id);
    return this.results.rows.filter(isMeant).reverse();
  }

  /** Removes an endpoint and its delivery history. */
  removeEndpoint(endpoint: EndpointRecord): void {
    for (const { id } of this.deliveries(endpoint.id)) this.#deliveries.delete(id);
    this.endpoints.remove(endpoint);
  }

  /** The deliveries to an endpoint, in the order they were queued. */
  deliveries(endpointId: number): DeliveryRecord[] {
    return [...this.#deliveries.values()].filter(({ endpoint_id }) => endpoint_id === endpointId);
  }

  delivery(id: string): DeliveryRecord | undefined {
    return this.#deliveries.get(id);
  }

  /** Adds or replaces a delivery. */
  saveDelivery(delivery: DeliveryRecord): DeliveryRecord {
    this.#deliveries.set(delivery.id, delivery);
    this.#changed();
    return delivery;
  }
}

function pairKey({ participant_id, exam_id }: Assignment): string {
  return `${participant_id}:${exam_id}`;
}

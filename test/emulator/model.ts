/** A minimal model of the documented state machines; the emulator must agree with it. */

export const limits = { participants: 4, perExam: 2, endpoints: 5, disableAfter: 3, retryDelay: 1000 };

export interface ModelEndpoint {
  events: string[];
  active: boolean;
  disabled: boolean;
  failures: number;
}

export interface ModelDelivery {
  endpoint: number;
  event: string;
  /** When it was queued, in whole seconds: what its list is sorted by. */
  second: number;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
}

export interface Model {
  now: number;
  exams: number;
  /** Whether each participant can be assigned; the index is the id less one. */
  participants: { email: string; ready: boolean }[];
  assignments: Map<string, 'assigned' | 'started' | 'finished'>;
  results: number;
  endpoints: Map<number, ModelEndpoint>;
  lastEndpoint: number;
  deliveries: ModelDelivery[];
  retries: { due: number; delivery: ModelDelivery }[];
  receiverFails: boolean;
}

export function createModel(exams: number): Model {
  return {
    now: 0,
    exams,
    participants: [],
    assignments: new Map(),
    results: 0,
    endpoints: new Map(),
    lastEndpoint: 0,
    deliveries: [],
    retries: [],
    receiverFails: false,
  };
}

export function importEmails(model: Model, emails: string[]): number {
  const known = new Set(model.participants.map(({ email }) => email));
  const fresh = [...new Set(emails)].filter((email) => !known.has(email));
  if (known.size + fresh.length > limits.participants) return 400;
  model.participants.push(...fresh.map((email) => ({ email, ready: true })));
  return 201;
}

export function assign(model: Model, participant: number, exam: number): number {
  const found = model.participants[participant - 1];
  if (found === undefined || exam > model.exams) return 404;
  const registered = [...model.assignments.keys()].filter((key) => key.endsWith(`:${exam}`)).length;
  const free = !model.assignments.has(`${participant}:${exam}`) && registered < limits.perExam;
  if (!found.ready || !free) return 400;
  model.assignments.set(`${participant}:${exam}`, 'assigned');
  announce(model, 'exam_participant.registered');
  return 201;
}

export function unassign(model: Model, participant: number, exam: number): number {
  if (model.participants[participant - 1] === undefined || exam > model.exams) return 404;
  if (model.assignments.get(`${participant}:${exam}`) !== 'assigned') return 400;
  model.assignments.delete(`${participant}:${exam}`);
  announce(model, 'exam_participant.unregistered');
  return 200;
}

export function announce(model: Model, event: string): void {
  for (const [id, endpoint] of model.endpoints) {
    if (endpoint.active && endpoint.events.includes(event)) deliver(model, id, event);
  }
}

export function deliver(model: Model, endpoint: number, event: string): void {
  const second = Math.floor(model.now / 1000);
  const delivery: ModelDelivery = { endpoint, event, second, status: 'pending', attempts: 0 };
  model.deliveries.push(delivery);
  attempt(model, delivery);
}

export function advance(model: Model, ms: number): void {
  const end = model.now + ms;
  for (;;) {
    const next = model.retries.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
    if (next === undefined) break;
    model.retries.splice(model.retries.indexOf(next), 1);
    model.now = next.due;
    attempt(model, next.delivery);
  }
  model.now = end;
}

function attempt(model: Model, delivery: ModelDelivery): void {
  const endpoint = model.endpoints.get(delivery.endpoint);
  if (endpoint === undefined) return;
  if (!endpoint.active) {
    delivery.status = 'failed';
    return;
  }
  delivery.attempts += 1;
  if (!model.receiverFails) {
    delivery.status = 'delivered';
    endpoint.failures = 0;
    return;
  }
  endpoint.failures += 1;
  if (endpoint.failures >= limits.disableAfter) Object.assign(endpoint, { active: false, disabled: true });
  if (delivery.attempts > 1 || endpoint.disabled) delivery.status = 'failed';
  else model.retries.push({ due: model.now + limits.retryDelay, delivery });
}

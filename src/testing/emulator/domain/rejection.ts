// Every rejection of the service: its status, and the message that names the rule.

import type { Operation } from '../service/operations.ts';

/** Wrong fields by dotted path, with their messages. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The service rejects a request, with this status and message. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly status: number;
  readonly errors: FieldErrors | undefined;

  constructor(status: number, message: string, errors?: FieldErrors) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

const unauthenticated: Readonly<Record<Operation['credential'], string>> = {
  'client-key': 'Invalid or inactive API key.',
  bearer: 'Unauthenticated.',
};

const badRequest = (message: string) => new Rejection(400, message);

/** By what is wrong. Statuses of the webhook operations, the 405 and the 429 are undocumented by the service. */
export const rejections = {
  invalidJson: () => badRequest('Invalid JSON: Syntax error'),
  tooManyParticipants: (limit: number) => badRequest(`Total participants exceed the limit of ${limit}.`),
  inactiveParticipant: () => badRequest('Participant is not active.'),
  unverifiedEmail: () => badRequest('Participant email is not verified.'),
  alreadyRegistered: () => badRequest('Participant is already registered for this exam.'),
  examFull: (limit: number) => badRequest(`Exam participants exceed the limit of ${limit}.`),
  notRegistered: () => badRequest('Participant is not registered for this exam.'),
  alreadyStarted: () => badRequest('Participant has already started this exam.'),
  wrongKey: (credential: Operation['credential']) => new Rejection(401, unauthenticated[credential]),
  inactiveClient: () => new Rejection(403, 'The client is not active.'),
  /** In the words of Laravel's `findOrFail` and of its route model binding. */
  noRecord: (model: 'Participant' | 'Exam' | 'WebhookEndpoint', key: number | string) =>
    new Rejection(404, `No query results for model [App\\Models\\${model}] ${key}`),
  notAssigned: () => new Rejection(404, 'Participant is not assigned to this exam.'),
  noRoute: (path: string) => new Rejection(404, `The route ${path} could not be found.`),
  methodNotAllowed: (method: string, path: string, allowed: string) =>
    new Rejection(
      405,
      `The ${method} method is not supported for route ${path}. Supported methods: ${allowed}.`,
    ),
  invalidFields: (message: string, errors: FieldErrors) => new Rejection(422, message, errors),
  tooManyEndpoints: (limit: number) =>
    new Rejection(422, `A project has at most ${limit} webhook endpoints.`),
  inactiveEndpoint: () => new Rejection(422, 'The webhook endpoint is not active.'),
  tooManyRequests: () => new Rejection(429, 'Too Many Attempts.'),
};

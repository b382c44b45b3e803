// Refusals: what a rule of the service throws, and what becomes the error response.

/** Wrong fields by dotted path, with their messages. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The service refuses a request, with this status and message. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly errors: FieldErrors | undefined;

  constructor(status: number, message: string, errors?: FieldErrors) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** A kind of record, under the name of its model. */
export type ModelName = 'Participant' | 'Exam' | 'WebhookEndpoint';

/** 404, in the words of Laravel's `findOrFail` and of its route model binding. */
export function noRecord(model: ModelName, key: number | string): Refusal {
  return new Refusal(404, `No query results for model [App\\Models\\${model}] ${key}`);
}

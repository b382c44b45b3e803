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

/** 422 with every wrong field, worded as in Laravel. */
export function invalidInput(errors: FieldErrors): Refusal {
  return new Refusal(422, 'The given data was invalid.', errors);
}

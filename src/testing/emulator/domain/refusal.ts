/** Wrong fields by dotted path, each with what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The service declines a request: the status, and the words for it. */
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

/** 422 with every wrong field named, as Laravel words it. */
export function invalidInput(errors: FieldErrors): Refusal {
  return new Refusal(422, 'The given data was invalid.', errors);
}

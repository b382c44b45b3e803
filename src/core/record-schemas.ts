import type { SchemaOutput, StandardSchema } from '../util/standard-schema.ts';

/** Standard Schemas that describe the service's undocumented records. Each gets the record as it was read. */
export interface RecordSchemas {
  /** Describes the records of `participants.list` and `.retrieve`. Default: only `id` is checked. */
  readonly participant?: StandardSchema;
  /** Describes the records of `exams.list` and `.retrieve`. Default: only `id` is checked. */
  readonly exam?: StandardSchema;
  /** Describes the records of `examResults.list`. Default: any object. */
  readonly examResult?: StandardSchema;
}

/**
 * Refuses the names of schemas that nothing would look at. A generic function that passes options on to a client takes
 * `ClientOptions<Schemas> & KnownSchemas<Schemas>`.
 */
export type KnownSchemas<Schemas> = {
  /** Unknown names may not stand here. */
  readonly schemas?:
    | { readonly [Unknown in Exclude<keyof Schemas, keyof RecordSchemas>]?: never }
    | undefined;
};

/** The type of a record: what its schema reads when there is one, else the documented part. */
export type RecordOf<Schemas, Name extends keyof RecordSchemas, Documented> = Schemas extends {
  readonly [Key in Name]: infer Schema extends StandardSchema;
}
  ? SchemaOutput<Schema>
  : Documented;

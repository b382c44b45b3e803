import type { StandardSchema } from '../util/standard-schema.ts';

/** Standard Schemas for the records that the service does not document. Each receives the record as it was read. */
export interface RecordSchemas {
  /** Describes the records of `participants.list` and `.retrieve`. Default: only `id` is checked. */
  readonly participant?: StandardSchema | undefined;
  /** Describes the records of `exams.list` and `.retrieve`. Default: only `id` is checked. */
  readonly exam?: StandardSchema | undefined;
  /** Describes the records of `examResults.list`. Default: any object. */
  readonly examResult?: StandardSchema | undefined;
}

/**
 * Rejects unknown schema names, which nothing would use. A generic function that passes options on to a client takes
 * `ClientOptions<Schemas> & KnownSchemas<Schemas>`.
 */
export type KnownSchemas<Schemas> = {
  /** Unknown names are not allowed here. */
  readonly schemas?:
    | { readonly [Unknown in Exclude<keyof Schemas, keyof RecordSchemas>]?: never }
    | undefined;
};

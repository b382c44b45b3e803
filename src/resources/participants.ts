// `client.participants`: imports, lists, retrieves and updates participants.

import type { ApiPromise } from '../core/api-promise.ts';
import { readArguments } from '../core/arguments.ts';
import { type Acknowledgement, defineOperation } from '../core/operation.ts';
import { jobTable, readOptionsOf } from '../core/options/call-options.ts';
import type { JobOptions, ListOptions, RequestOptions } from '../core/options/client-options.ts';
import type { PagePromise } from '../core/pages/page.ts';
import type { Participant } from '../core/records.ts';
import { Resource, type Transport } from '../core/transport.ts';
import { importAll } from '../jobs/import/import-all.ts';
import type { ImportAllOptions, ParticipantImport } from '../jobs/import/import-all-options.ts';
import type { ImportSummary } from '../jobs/import-summary.ts';
import * as schemas from '../schemas/participant.ts';
import { passthrough } from '../schemas/service-fields.ts';
import { type FoundParticipants, findByEmail, readEmails, readKnownEmails } from './find-by-email.ts';

// Each field has one declaration: an editor shows no comment of a field that has two.

/** A new name alone. */
export interface NameUpdate extends Pick<ParticipantImport, 'name'> {
  /** Stays as it is. */
  readonly password?: undefined;
}

/** A new password alone. */
export interface PasswordUpdate extends Pick<ParticipantImport, 'password'> {
  /** Stays as it is. */
  readonly name?: undefined;
}

/** The changes of an update: name, password or both. A field left out stays as it is. */
export type ParticipantUpdate =
  | NameUpdate
  | PasswordUpdate
  | (Pick<ParticipantImport, 'name'> & Pick<ParticipantImport, 'password'>);

/** Query of `GET /participants`, undocumented by the service: as in the other lists. */
export interface ParticipantListQuery {
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. */
  readonly limit?: number | undefined;
}

export const importParticipants = defineOperation({
  id: 'participants.import',
  method: 'POST',
  path: '/participants/import',
  // An upsert by email: sending the same rows again gives the same participants.
  retry: 'idempotent',
  request: { body: schemas.importBody },
  secretFields: ['password'],
  success: 201,
  response: { kind: 'acknowledgement', ofRows: true },
});

/** A row of a bulk import, which was checked as it was read. */
const importRow = { ...importParticipants, request: { body: passthrough } } as const;

/** Several such rows: what is too much at once is sent again in smaller parts. */
const importBatch = { ...importRow, isDivisible: true } as const;

export const retrieveParticipant = defineOperation({
  id: 'participants.retrieve',
  method: 'GET',
  path: '/participants/{id}',
  request: { path: schemas.participantPath },
  response: { kind: 'record', key: 'id', schema: schemas.participant, extraSchema: 'participant' },
});

export const updateParticipant = defineOperation({
  id: 'participants.update',
  method: 'PUT',
  path: '/participants/{id}',
  request: { path: schemas.participantPath, body: schemas.updateBody },
  secretFields: ['password'],
  response: { kind: 'acknowledgement' },
});

export const listParticipants = defineOperation({
  id: 'participants.list',
  method: 'GET',
  path: '/participants',
  request: { query: schemas.listQuery },
  response: { kind: 'list', schema: schemas.participant, extraSchema: 'participant' },
});

/** The whole list, read to find out who has which email: by what the service sent, whatever the schemas make of it. */
const listEverybody = {
  ...listParticipants,
  response: { ...listParticipants.response, isUnchecked: true },
} as const;

/** Pages of the whole list that are fetched at once. */
const PAGES_AT_ONCE = 4;

/**
 * Participants (endpoints under `/participants`). Besides the errors listed, every method can throw those common to all operations:
 * `RequestValidationError` before anything is sent, 401 and 403 for the key, and the errors of connection and response.
 */
export class Participants<Item = Participant> extends Resource<{ readonly participant: Item }> {
  /**
   * Creates participants, and **overwrites name and password of those whose email is known**. `POST /participants/import`
   *
   * @throws {BadRequestError} when there would be more participants than allowed; the limit is undocumented by the service.
   * @throws {UnprocessableEntityError} when the service rejects rows as invalid: see `fieldErrors`.
   */
  import(participants: readonly ParticipantImport[], options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(importParticipants, { body: { participants } }, options);
  }

  /**
   * Imports participants from a source of any length, and **overwrites name and password of those whose email is known**. The source
   * is an array, a generator, a CSV stream, a database cursor. Validates every row, sends them in batches, and reads the source only
   * as fast as it sends. `existing: 'skip'` leaves known people alone, `maxOutage` waits for a service that is down.
   * `POST /participants/import`
   *
   * @example
   * ```ts
   * const { imported, rejections } = await client.participants.importAll(rows, {
   *   map: (row) => ({ email: row['E-Mail'], name: row['Name'], password: row['Kennwort'] }),
   *   invalidRows: 'reject',
   *   failedBatches: 'bisect',
   * });
   * ```
   *
   * @returns counts, and the reason for each rejected row.
   * @throws {ImportStoppedError} when an error or an abort ends it early, with the summary so far.
   * @throws {ConfigurationError} when an option or the source is invalid.
   */
  async importAll<Row>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    options: ImportAllOptions<Row> = {},
  ): Promise<ImportSummary> {
    const { transport } = this;
    const service = {
      row: schemas.importRow(),
      maxConcurrency: transport.maxConcurrency,
      write: transport.write,
      send(participants: readonly ParticipantImport[], callOptions: JobOptions) {
        const operation = participants.length > 1 ? importBatch : importRow;
        return transport.call(operation, { body: { participants } }, callOptions);
      },
      knownEmails: (callOptions: JobOptions) => readKnownEmails(listAll(transport, callOptions)),
    };
    return importAll(service, rows, options);
  }

  /**
   * Reads one participant. `GET /participants/{id}`
   *
   * @throws {NotFoundError} when there is no such participant.
   */
  retrieve(id: number, options?: RequestOptions): ApiPromise<Item> {
    return this.transport.call(retrieveParticipant, { path: { id } }, options);
  }

  /**
   * Changes the name, the password or both. `PUT /participants/{id}`
   *
   * @throws {NotFoundError} when there is no such participant.
   * @throws {UnprocessableEntityError} when the service rejects the changes as invalid: see `fieldErrors`.
   */
  update(id: number, changes: ParticipantUpdate, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(updateParticipant, { path: { id }, body: changes }, options);
  }

  /**
   * Lists all participants. Its parameters are undocumented by the service, and assumed to be those of the other lists. To find people
   * by email, call `findByEmail`. `GET /participants`
   */
  list(query: ParticipantListQuery = {}, options?: ListOptions<Item>): PagePromise<Item> {
    return this.transport.list(listParticipants, { query }, options);
  }

  /**
   * Finds participants by their emails. **Reads the whole list, 100 people a request**, up to four requests at once, again until a pass
   * finds no more of them: once if all are found as spelled, otherwise usually twice. Compares emails as `importAll` does, without case,
   * Unicode form and surrounding spaces; an exact spelling wins. Compares what the service sent, and applies the option `schemas` to
   * the people found. People deleted meanwhile may be found. `GET /participants`
   *
   * @example
   * ```ts
   * const { found, missing } = await client.participants.findByEmail(['ana@example.com', 'ben@example.com']);
   * const id = found.get('ana@example.com')?.id;
   * ```
   *
   * @throws {AmbiguousEmailsError} when several participants have an email in other spellings, and none as it was given.
   * @throws {ConfigurationError} when the service does not list emails, which are undocumented.
   * @throws {ResponseFormatError} when somebody is missing, and the list changes too fast or its order is not stable.
   */
  async findByEmail(emails: Iterable<string>, options: JobOptions = {}): Promise<FoundParticipants<Item>> {
    const call = readOptionsOf({ name: 'participants.findByEmail', takes: ['emails'] }, options, jobTable);
    const given = readArguments('participants.findByEmail', () => readEmails(emails));
    if (given.length === 0) return { found: new Map(), missing: [] };
    return findByEmail(listAll(this.transport, call), given);
  }
}

/** Outside of the class, so that its instances show no method for it. */
function listAll<Item>(
  transport: Transport<{ readonly participant: Item }>,
  options: JobOptions,
): PagePromise<Item> {
  const concurrency = Math.min(PAGES_AT_ONCE, transport.maxConcurrency);
  return transport.list(listEverybody, { query: { limit: 100 } }, { ...options, concurrency });
}

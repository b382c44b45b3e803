import type { ApiPromise } from '../core/api-promise.ts';
import { defineOperation } from '../core/operation.ts';
import type { ListOptions, RequestOptions } from '../core/options.ts';
import type { PagePromise } from '../core/pagination.ts';
import type { Participant } from '../core/records.ts';
import { Resource } from '../core/resource.ts';
import type { Acknowledgement } from '../core/response.ts';
import * as schemas from '../schemas/participant.ts';

/** One row of an import (interface document, Resources, Participant). */
export interface ParticipantImport {
  /** Unique, and the login name. A known one updates that participant instead of creating another. */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** Login password. */
  readonly password: string;
}

/** The changes of an update: at least one of the two. What is left out stays as it is. */
export type ParticipantUpdate =
  | { readonly name: string; readonly password?: string | undefined }
  | { readonly name?: string | undefined; readonly password: string };

/**
 * Query of `GET /participants`, whose parameters the interface document does not show: `page` and `limit` are
 * those of the other lists, and anything else is passed on as it is.
 */
export interface ParticipantListQuery {
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. */
  readonly limit?: number | undefined;
  readonly [parameter: string]:
    | string
    | number
    | boolean
    | ReadonlyArray<string | number | boolean>
    | undefined;
}

const importParticipants = defineOperation({
  id: 'participants.import',
  method: 'POST',
  path: '/participants/import',
  auth: 'clientKey',
  // An upsert by email: sending the same rows again leads to the same participants.
  retry: 'idempotent',
  request: { body: schemas.importBody },
  success: 201,
  response: { kind: 'acknowledgement' },
});

const retrieveParticipant = defineOperation({
  id: 'participants.retrieve',
  method: 'GET',
  path: '/participants/{id}',
  auth: 'clientKey',
  retry: 'idempotent',
  request: { path: schemas.participantPath },
  success: 200,
  response: { kind: 'record', key: 'id', schema: schemas.participant, refinedBy: 'participant' },
});

const updateParticipant = defineOperation({
  id: 'participants.update',
  method: 'PUT',
  path: '/participants/{id}',
  auth: 'clientKey',
  retry: 'idempotent',
  request: { path: schemas.participantPath, body: schemas.updateBody },
  success: 200,
  response: { kind: 'acknowledgement' },
});

const listParticipants = defineOperation({
  id: 'participants.list',
  method: 'GET',
  path: '/participants',
  auth: 'clientKey',
  retry: 'idempotent',
  request: { query: schemas.listQuery },
  success: 200,
  response: { kind: 'list', schema: schemas.participant, refinedBy: 'participant' },
});

/** Participants (interface document, Endpoints, Participants). */
export class Participants<Item = Participant> extends Resource {
  /** Creates participants, or updates those whose email is known. `POST /participants/import` */
  import(
    participants: ReadonlyArray<ParticipantImport>,
    options?: RequestOptions,
  ): ApiPromise<Acknowledgement> {
    return this.transport.call(importParticipants, { body: { participants } }, options);
  }

  /** Reads one participant. `GET /participants/{id}` */
  retrieve(id: number, options?: RequestOptions): ApiPromise<Item> {
    return this.transport.call(retrieveParticipant, { path: { id } }, options);
  }

  /** Changes the name, the password or both. `PUT /participants/{id}` */
  update(id: number, changes: ParticipantUpdate, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(updateParticipant, { path: { id }, body: changes }, options);
  }

  /** Lists participants. `GET /participants` */
  list(query: ParticipantListQuery = {}, options?: ListOptions): PagePromise<Item> {
    return this.transport.list(listParticipants, { query }, options);
  }
}

// The operations that a proxy can let pass: where each leads, its credential, and all that a page may send with it.

import { aBoolean } from '../core/check.ts';
import type { HttpMethod, OperationName } from '../core/operation.ts';
import {
  anId,
  aString,
  type Fields,
  no,
  rows,
  textOrNull,
  texts,
  type ValuesOf,
  yes,
} from './call-fields.ts';

/** One operation as the proxy sees it. A test compares each with the descriptor of the client. */
export interface ProxyOperation {
  /** Method, and path below the base URL; `{id}` is an id. */
  readonly route: `${HttpMethod} /${string}`;
  /** Whether the key goes into `Authorization`; otherwise into `X-Client-Key`. */
  readonly bearer?: true;
  /** Documented parameters. */
  readonly query?: Fields;
  /** Documented fields of the body; an operation without one sends none. */
  readonly body?: Fields;
}

const page = { page: anId, limit: anId };
const pair = { participant_id: anId, exam_id: anId };
const endpoint = { url: aString, events: texts, description: textOrNull, is_active: aBoolean };

/** By the name of the client's method. */
export const operations = {
  'participants.import': { route: 'POST /participants/import', body: { participants: rows } },
  'participants.retrieve': { route: 'GET /participants/{id}' },
  'participants.update': { route: 'PUT /participants/{id}', body: { name: aString, password: aString } },
  'participants.list': { route: 'GET /participants', query: page },
  'examParticipants.assign': { route: 'POST /exam-participants/assign', body: pair },
  'examParticipants.unassign': { route: 'POST /exam-participants/unassign', body: pair },
  'examParticipants.link': { route: 'GET /exam-participants/link', query: pair },
  'exams.list': { route: 'GET /exams', query: page },
  'exams.retrieve': { route: 'GET /exams/{id}' },
  'examResults.list': { route: 'GET /exam-results', query: { ...page, ...pair } },
  // Also the request of `webhooks.availableEvents`.
  'webhooks.list': { route: 'GET /webhooks', bearer: true },
  'webhooks.create': { route: 'POST /webhooks', bearer: true, body: endpoint },
  // The next two share a route: the body decides, and only the response of the second one has a secret.
  'webhooks.update': {
    route: 'PATCH /webhooks/{id}',
    bearer: true,
    body: { ...endpoint, rotate_secret: no },
  },
  'webhooks.rotateSecret': {
    route: 'PATCH /webhooks/{id}',
    bearer: true,
    body: { ...endpoint, rotate_secret: yes },
  },
  'webhooks.delete': { route: 'DELETE /webhooks/{id}', bearer: true },
  'webhooks.deliveries': {
    route: 'GET /webhooks/{id}/deliveries',
    bearer: true,
    query: { event: aString, status: aString, page: anId, per_page: anId },
  },
  'webhooks.test': { route: 'POST /webhooks/{id}/test', bearer: true, body: { event: aString } },
} as const satisfies { readonly [Name in OperationName]?: ProxyOperation };

type Listed = typeof operations;

/** A name for the type of the table, which the reference would otherwise repeat whole in each place. */
export interface Operations extends Listed {}

/** The methods of the client that have a request of their own, such as `examResults.list`. */
export type ProxyOperationName = Extract<OperationName, keyof Operations>;

type PartOf<Id extends ProxyOperationName, Part> = Operations[Id] extends {
  readonly [_ in Part & string]: infer Of;
}
  ? Of
  : unknown;

/** One allowed request of a page, read and checked. */
export interface ProxyCallOf<Id extends ProxyOperationName> {
  /** The operation. */
  readonly operation: Id;
  /** `id` where the path has one. */
  readonly path: Operations[Id]['route'] extends `${string}{id}${string}`
    ? { readonly id: number }
    : { readonly id?: never };
  /** The documented parameters that the page sent; ids and page numbers as numbers. One sent twice is left out. */
  readonly query: ValuesOf<PartOf<Id, 'query'>>;
  /** The documented fields of the body; undefined for an operation without one. */
  readonly body: Operations[Id] extends { readonly body: infer Of } ? ValuesOf<Of> : undefined;
}

/** An allowed request of a page; compare `operation` to narrow it. */
export type ProxyCall<Id extends ProxyOperationName = ProxyOperationName> = Id extends ProxyOperationName
  ? ProxyCallOf<Id>
  : never;

type NamesOf<Id, Part> = Id extends ProxyOperationName ? keyof PartOf<Id, Part> : never;

/** Values that win over the page's, by documented name. */
export interface ProxyForced<Id extends ProxyOperationName = ProxyOperationName> {
  /** Parameters, such as the `participant_id` of the signed-in person. */
  readonly query?: { readonly [Name in NamesOf<Id, 'query'>]?: string | number } | undefined;
  /** Fields of the body. */
  readonly body?: { readonly [Name in NamesOf<Id, 'body'>]?: unknown } | undefined;
}

// The form in which a group of operations is documented for openapi.json.

import type { Notes } from '../fields.ts';

/** What a descriptor has no use for, as it changes no request and no response. */
export interface Documentation {
  readonly summary: string;
  readonly description: string;
  /** Of the successful response. */
  readonly success: string;
  /** Of the path, the query, and a body that is not among the named components. */
  readonly fields?: Notes;
  /** A request that succeeds. Its body and its response are examples of the document. */
  readonly example?: Sent;
  /** Requests that the service rejects, by status. */
  readonly rejected?: Readonly<Record<number, Sent>>;
}

/** A request to the emulator: method and path, and the body. */
export interface Sent {
  readonly send: string;
  readonly body?: unknown;
}

/**
 * By the id of the operation, in the order of the document. Where ids share a method and a path, the first one's
 * stands for all.
 */
export type Group = Readonly<Record<string, Documentation>>;

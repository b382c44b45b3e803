// The log of the requests that the emulator received.

import type { Fault } from '../faults/fault.ts';
import type { OperationName } from '../operations.ts';

/** A request that the emulator received. */
export interface ReceivedRequest {
  /** Counts from 1 since the last reset. */
  readonly id: number;
  /** Null when no operation has this method and path. */
  readonly operation: OperationName | null;
  /** HTTP method. */
  readonly method: string;
  /** Full URL, including the query. */
  readonly url: string;
  /** Path with the version prefix, without the query. */
  readonly path: string;
  /** Query parameters by name. */
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** As received; empty when there was none. */
  readonly body: string;
  /** In milliseconds since the epoch. */
  readonly received_at: number;
  /** Status of the answer; null until there is one, and permanently if the connection was reset. */
  readonly status: number | null;
  /** The fault that struck it; null if none did. */
  readonly fault: Fault | null;
  /** Start of the answer's body, at most 4,096 characters; null until there is one, or if it broke off. */
  readonly answer: string | null;
}

/** Longest history; older entries are dropped, so that an emulator that runs for weeks stays small. */
const MAX_ENTRIES = 10_000;

/** History, oldest first. */
export class Log<Entry extends object> {
  readonly entries: Entry[] = [];
  #added = 0;

  /** Number of the next entry, from 1. */
  get nextId(): number {
    return this.#added + 1;
  }

  add(entry: Entry): void {
    if (this.entries.length >= MAX_ENTRIES) this.entries.shift();
    this.entries.push(entry);
    this.#added += 1;
  }

  clear(): void {
    this.entries.length = 0;
    this.#added = 0;
  }
}

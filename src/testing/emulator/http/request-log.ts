// The logs of an emulator: the requests that it received, and its delivery attempts.

import type { Fault } from '../faults/fault.ts';
import type { EmulatorOperationName } from '../service/operations.ts';

/** A request that the emulator received. */
export interface ReceivedRequest {
  /** Counts from 1 since the last reset. */
  readonly id: number;
  /** Null when no operation has this method and path. */
  readonly operation: EmulatorOperationName | null;
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
  /** Status of the response; null until there is one, and permanently if the connection was reset. */
  readonly status: number | null;
  /** The fault that struck it; null if none did. */
  readonly fault: Fault | null;
  /** Start of the response's body, at most 4,096 characters; null until there is one, or if it broke off. */
  readonly response: string | null;
}

/** Longest history; older entries are dropped, so that an emulator that runs for weeks stays small. */
const MAX_ENTRIES = 10_000;

/** What the texts of a history may take, in bytes. The newest entry is kept even if it takes more. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A character of a string takes up to two bytes. */
const BYTES_PER_CHARACTER = 2;

/** History, oldest first. */
export class Log<Entry extends object> {
  #entries: Entry[];
  readonly #sizes = new Map<Entry, number>();
  #bytes = 0;
  #added = 0;

  /** @param entries Where the entries are put, in place of those that are there. */
  constructor(entries: Entry[]) {
    entries.length = 0;
    this.#entries = entries;
  }

  /** Leaves the list to another log. */
  end(): void {
    this.#entries = [];
  }

  /** Number of the next entry, from 1. */
  get nextId(): number {
    return this.#added + 1;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#added += 1;
    this.#sizes.set(entry, 0);
    this.measure(entry);
  }

  /** Call this when an entry has grown. It makes room at the other end. */
  measure(entry: Entry): void {
    const before = this.#sizes.get(entry);
    if (before === undefined) return;
    const size = JSON.stringify(entry, withoutFault).length * BYTES_PER_CHARACTER;
    this.#sizes.set(entry, size);
    this.#bytes += size - before;
    while (this.#entries.length > 1 && (this.#entries.length > MAX_ENTRIES || this.#bytes > MAX_BYTES)) {
      this.#forget(this.#entries.shift());
    }
  }

  #forget(entry: Entry | undefined): void {
    if (entry === undefined) return;
    this.#bytes -= this.#sizes.get(entry) ?? 0;
    this.#sizes.delete(entry);
  }
}

/** A fault is held once, however many requests it strikes. */
const withoutFault = (name: string, value: unknown) => (name === 'fault' ? undefined : value);

/** How much of a response is stored, in characters. */
const KEPT_RESPONSE = 4096;

/** The start of a response's body, as a text that does not hold on to the whole. */
export function startOf(body: ArrayBuffer): string {
  // A character takes up to four bytes; a slice of a string would keep all of it in memory.
  const start = new TextDecoder().decode(body.slice(0, 4 * KEPT_RESPONSE)).slice(0, KEPT_RESPONSE);
  return new TextDecoder().decode(new TextEncoder().encode(start));
}

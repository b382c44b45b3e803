// An outage: the service is down, and a job waits for it instead of stopping. `Job` says when one begins and which request is sent.

import { optionOf, withDefault } from '../core/check.ts';
import { wait } from '../core/time.ts';
import { messageOf } from '../util/errors.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Writes a line to the log of a client. */
export type WriteLine = (level: 'info' | 'warn', message: string) => void;

const isLength = (value: unknown) => Number(value) >= 0 && typeof value === 'number';
const anOutage = optionOf<number>('a number of milliseconds of 0 or more, or Infinity', isLength);

/** The option `maxOutage`: how long a job waits, in milliseconds. */
export const maxOutage = withDefault(anOutage, 0);

/** The outages of one job. */
export class Outage {
  /** Whether one has begun in this run. */
  hasBegun = false;
  readonly #longest: number;
  readonly #write: WriteLine;
  #current: { readonly reason: unknown; readonly since: number; waits: number } | undefined;

  /** @param longest how long one may last, in milliseconds */
  constructor(longest: number, write: WriteLine) {
    this.#longest = longest;
    this.#write = write;
  }

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /**
   * The service is down.
   *
   * @throws `reason`, why the job stops, unless it is to wait
   */
  begin(reason: unknown): void {
    if (this.#longest === 0) throw reason;
    if (this.#current !== undefined) return;
    this.hasBegun = true;
    this.#current = { reason, since: performance.now(), waits: 0 };
    this.#write('warn', `the service is down, and the job waits for it: ${messageOf(reason)}`);
  }

  /**
   * Waits before the next request, if the service is down.
   *
   * @throws why the outage began, when it has lasted too long
   */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#current === undefined) return;
    const { reason, since, waits } = this.#current;
    const left = since + this.#longest - performance.now();
    if (left <= 0) throw reason;
    this.#current.waits += 1;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits);
    await wait(Math.ceil(Math.min(left, longest * (0.5 + Math.random() / 2))), signal);
  }

  /** The service responded. */
  responded(): void {
    if (this.#current === undefined) return;
    const seconds = Math.round((performance.now() - this.#current.since) / 1_000);
    this.#current = undefined;
    this.#write('info', `the service responds again, after ${seconds} s.`);
  }
}

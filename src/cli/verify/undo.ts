// What a run has made, and takes away again, whatever the service answers meanwhile.

import type { ExamClient } from '../../client.ts';
import { ask, type Reply } from '../reply.ts';

/** A request without the credential, which follows from the path. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

export type Send = (request: Sent) => Promise<Reply>;

/** Something that could not be taken away. */
export interface Leftover {
  /** Such as `webhook endpoint 7`. */
  readonly what: string;
  /** The command that takes it away, or that shows it. */
  readonly command: string;
}

/** What takes one thing away. It is known before the request that makes the thing is sent. */
export interface Undo {
  /** Whether there is nothing to take away (any more). */
  readonly isDone: boolean;
  /** Sends what is needed; may reject. */
  undo(send: Send): Promise<void>;
  /** What is left, each with the request that takes it away or shows it. */
  left(): readonly { readonly what: string; readonly by: Sent }[];
}

/** Enough for a few times of the minute that a rate limit asks for. */
const BUDGET_MS = 5 * 60_000;

/** The credential that an operation takes by its documentation. */
export function schemeOf(path: string): 'bearer' | 'clientKey' {
  return path.startsWith('/webhooks') ? 'bearer' : 'clientKey';
}

/**
 * What is to be undone, newest first. It has a client and time of its own, since the run may have been stopped, or have
 * ended because the service refused to go on.
 */
export class UndoStack {
  readonly #client: ExamClient;
  readonly #baseUrl: string;
  #steps: Undo[] = [];

  constructor(client: ExamClient, baseUrl: string) {
    this.#client = client;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
  }

  push(step: Undo): void {
    this.#steps.push(step);
  }

  /** Takes away what it can, and keeps the rest for another time. Never rejects. */
  async unwind(): Promise<void> {
    const signal = AbortSignal.timeout(BUDGET_MS);
    const send: Send = (sent) => ask(this.#client, { ...sent, auth: schemeOf(sent.path) }, signal);
    for (const step of this.#steps.toReversed()) {
      if (step.isDone) continue;
      try {
        await step.undo(send);
      } catch {
        // What is left says so, with the command for people; the others are still to be tried.
      }
    }
    this.#steps = this.#steps.filter(({ isDone }) => !isDone);
  }

  get left(): Leftover[] {
    return this.#steps
      .filter(({ isDone }) => !isDone)
      .flatMap((step) => step.left().map(({ what, by }) => ({ what, command: this.#commandOf(by) })));
  }

  #commandOf({ method, path, query = {}, body }: Sent): string {
    const header = schemeOf(path) === 'bearer' ? 'Authorization: Bearer ' : 'X-Client-Key: ';
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const url = `${this.#baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`;
    const json =
      body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return `curl -X ${method} -H "${header}$EXAM_SERVICE_API_KEY" -H 'Accept: application/json'${json} '${url}'`;
  }
}

// Sends one batch of an import.

import type { Acknowledgement } from '../../core/answer/find.ts';
import { type ApiError, isApiError } from '../../core/errors/api-error.ts';
import type { RequestOptions } from '../../core/options.ts';
import type { ImportAccount } from './account.ts';
import { tell } from './fault.ts';
import type { ImportPlan } from './plan.ts';
import { isUnsent } from './refusal.ts';
import type { NumberedRow, ParticipantImport } from './row.ts';
import type { RejectedRow } from './summary.ts';

/** Sends the rows of one request. */
export type SendRows = (
  rows: readonly ParticipantImport[],
  options: RequestOptions,
) => PromiseLike<Acknowledgement>;

/** Shared by the batches of an import. */
export interface ImportContext {
  readonly plan: ImportPlan<never>;
  readonly account: ImportAccount;
  readonly send: SendRows;
  /** Throws when the import has been stopped. */
  readonly throwIfStopped: () => void;
}

/** Records a row that is left out. It is settled only after `onRejected` has been called. */
export async function reject({ plan, account }: ImportContext, rejection: RejectedRow): Promise<void> {
  if (plan.onRejected === undefined) account.keep(rejection);
  else await tell('onRejected', plan.onRejected, rejection, plan.signal);
  account.countFailed(rejection.index);
}

/** One batch, sent in as many requests as it takes. */
export class Delivery {
  readonly #context: ImportContext;
  readonly #batch: readonly NumberedRow[];
  #isSent = false;

  constructor(context: ImportContext, batch: readonly NumberedRow[]) {
    this.#context = context;
    this.#batch = batch;
  }

  /**
   * Sends rows of the batch.
   *
   * @returns `null` when the service accepted them, otherwise its error
   * @throws anything that is not an answer of the service, such as an outage
   */
  async import(rows: readonly NumberedRow[]): Promise<ApiError | null> {
    const answer = await this.#request(rows);
    if (isApiError(answer)) return answer;
    const { account, plan } = this.#context;
    account.countImported(rows);
    const imported = {
      from: rows[0]?.index ?? 0,
      to: (rows.at(-1)?.index ?? 0) + 1,
      acknowledgement: answer,
    };
    await tell('onBatch', plan.onBatch, imported, plan.signal);
    return null;
  }

  /** Sends settled rows again, to see whether the service still works. */
  async probe(rows: readonly NumberedRow[]): Promise<ApiError | null> {
    const answer = await this.#request(rows);
    return isApiError(answer) ? answer : null;
  }

  /** Leaves out a row. */
  reject({ index }: NumberedRow, reason: string): Promise<void> {
    return reject(this.#context, { index, reason });
  }

  async #request(rows: readonly NumberedRow[]): Promise<Acknowledgement | ApiError> {
    const { plan, account, send, throwIfStopped } = this.#context;
    throwIfStopped();
    const counted = this.#isSent ? 0 : this.#batch.length;
    this.#isSent = true;
    account.countSent(counted);
    try {
      return await send(
        rows.map(({ row }) => row),
        plan.callOptions,
      );
    } catch (error) {
      if (isUnsent(error)) account.countSent(-counted);
      if (isApiError(error) && plan.signal?.aborted !== true) return error;
      throw error;
    }
  }
}

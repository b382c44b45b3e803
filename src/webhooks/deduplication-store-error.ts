import { ExamServiceError } from '../core/errors/base.ts';
import type { StoreMethod } from './deduplication.ts';

/** The store of `deduplication` failed or did not answer; neither the delivery nor its handler is at fault. */
export class DeduplicationStoreError extends ExamServiceError {
  override readonly name = 'DeduplicationStoreError';
  override readonly code = 'deduplication_store';
  /** The method of the store that failed. `cause` is its error. */
  readonly method: StoreMethod;

  constructor(method: StoreMethod, failure: string, options?: { readonly cause?: unknown }) {
    super(`\`${method}\` of the deduplication store ${failure}.`, undefined, options);
    this.method = method;
  }
}

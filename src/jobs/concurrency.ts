import { ConfigurationError } from '../core/errors/base.ts';

/** @throws {ConfigurationError} for a job that could never have so many requests in flight */
export function assertConcurrency(concurrency: number, maxConcurrency: number): void {
  if (concurrency <= maxConcurrency) return;
  throw new ConfigurationError(
    `\`concurrency\` is ${concurrency}, above \`maxConcurrency\` of the client (${maxConcurrency}): raise that, or lower this.`,
  );
}

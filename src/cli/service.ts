// What the commands that call a real service share: options, client, errors in words.

import { ExamClient } from '../client.ts';
import { isExamServiceError } from '../core/errors/base.ts';
import type { Hooks, OnRetryEvent } from '../core/hooks.ts';
import type { ClientOptions } from '../core/options/client-options.ts';
import type { WebhookEndpoint } from '../schemas/webhook-types.ts';
import { flagOption, required, textOption, type ValuesOf } from './command-options.ts';
import { CommandError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/** The options of every command that calls a service. */
export const serviceOptions = {
  'base-url': textOption('URL', 'The service, with the version prefix (default $EXAM_SERVICE_BASE_URL)'),
  'api-key': textOption(
    'KEY',
    'The key; prefer $EXAM_SERVICE_API_KEY, since other users can read the command line',
  ),
  'allow-insecure-http': flagOption('Allows plain http to another machine'),
};

/** Which service to call, and how. */
export type Service = Pick<ClientOptions, 'allowInsecureHttp'> & {
  readonly baseUrl: string;
  readonly apiKey: string;
};

/**
 * The service that the options or the environment name; warns if others can read the key.
 *
 * @throws {UsageError} if the address or the key is missing
 */
export function readService(
  values: ValuesOf<typeof serviceOptions>,
  { env, stderr }: Pick<Terminal, 'env' | 'stderr'>,
): Service {
  const { 'base-url': baseUrl = env['EXAM_SERVICE_BASE_URL'], 'api-key': key } = values;
  if (key !== undefined) {
    stderr.write('Other users can read a key on the command line: set EXAM_SERVICE_API_KEY instead.\n');
  }
  const apiKey = key ?? env['EXAM_SERVICE_API_KEY'];
  return {
    baseUrl: required(baseUrl?.trim() || undefined, '--base-url or EXAM_SERVICE_BASE_URL'),
    apiKey: required(apiKey?.trim() || undefined, 'EXAM_SERVICE_API_KEY or --api-key'),
    allowInsecureHttp: values['allow-insecure-http'],
  };
}

/** @throws {UsageError} without the id of an endpoint */
export function readEndpointId({ endpoint }: { readonly endpoint: number | undefined }): number {
  return required(endpoint, '--endpoint, the id of a webhook endpoint,');
}

/** A pause that is worth reporting, in milliseconds. */
const LONG_PAUSE_MS = 5_000;

/** What the options of a client are called on the command line. */
const namesOfOptions: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  apiKey: 'EXAM_SERVICE_API_KEY',
  allowInsecureHttp: '--allow-insecure-http',
};

/**
 * A client of the service, which reports when the service makes it wait.
 *
 * @throws {CommandError} when the address or the key cannot be right, in the words of the command line
 */
export function connect(
  { baseUrl, apiKey, allowInsecureHttp }: Service,
  { stderr }: Pick<Terminal, 'stderr'>,
  { validation, onSchemaDrift }: Pick<ClientOptions, 'validation'> & Pick<Hooks, 'onSchemaDrift'> = {},
): ExamClient {
  const onRetry = ({ delayMs, error }: OnRetryEvent) => {
    if (delayMs < LONG_PAUSE_MS) return;
    const { status } = Object(error);
    const seconds = Math.ceil(delayMs / 1000);
    stderr.write(`The service asks for a pause (${status ?? error.code}): waiting ${seconds} s.\n`);
  };
  try {
    return new ExamClient({
      baseUrl,
      apiKey,
      allowInsecureHttp,
      logLevel: 'off',
      validation,
      hooks: { onRetry, onSchemaDrift },
    });
  } catch (error) {
    if (!isExamServiceError(error)) throw error;
    throw new CommandError(
      error.message.replace(/`(\w+)(?:: true)?`/g, (whole, name) => namesOfOptions[name] ?? whole),
    );
  }
}

/**
 * Runs a command against a service.
 *
 * @throws {CommandError} for an error of the client, whose messages never contain the key; with the message `stopped`
 * after an abort
 */
export async function withService<T>(work: () => Promise<T>, stop: AbortSignal, stopped: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (stop.aborted) throw new CommandError(stopped);
    if (isExamServiceError(error)) throw new CommandError(error.message);
    throw error;
  }
}

/** @throws {CommandError} when there is no such endpoint */
export function findEndpoint(endpoints: readonly WebhookEndpoint[], id: number): WebhookEndpoint {
  const endpoint = endpoints.find((one) => one.id === id);
  if (endpoint !== undefined) return endpoint;
  const others = endpoints.length === 0 ? 'none' : endpoints.map((one) => one.id).join(', ');
  throw new CommandError(`There is no webhook endpoint ${id}; the existing ones are: ${others}.`);
}

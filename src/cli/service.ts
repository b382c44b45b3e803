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

/** What else a command needs of its client. */
type Needs = Pick<ClientOptions, 'validation'> & Pick<Hooks, 'onSchemaDrift'>;

/**
 * Runs a command with a client of the service that the options or the environment name. Warns if others can read the key,
 * and reports when the service makes it wait.
 *
 * @param stopped What is said after an abort.
 * @throws {UsageError} if the address or the key is missing
 * @throws {CommandError} for an error of the client, whose messages never contain the key
 */
export async function withClient<T>(
  values: ValuesOf<typeof serviceOptions>,
  terminal: Terminal,
  stopped: string,
  work: (client: ExamClient) => Promise<T>,
  needs: Needs = {},
): Promise<T> {
  const client = connect(values, terminal, needs);
  try {
    return await work(client);
  } catch (error) {
    if (terminal.stop.aborted) throw new CommandError(stopped);
    if (isExamServiceError(error)) throw new CommandError(error.message);
    throw error;
  }
}

function connect(
  values: ValuesOf<typeof serviceOptions>,
  { env, stderr }: Terminal,
  { validation, onSchemaDrift }: Needs,
): ExamClient {
  const { 'base-url': url, 'api-key': key, 'allow-insecure-http': allowInsecureHttp } = values;
  if (key !== undefined) {
    stderr.write('Other users can read a key on the command line: set EXAM_SERVICE_API_KEY instead.\n');
  }
  const given = { baseUrl: url ?? env['EXAM_SERVICE_BASE_URL'], apiKey: key ?? env['EXAM_SERVICE_API_KEY'] };
  const baseUrl = required(given.baseUrl?.trim() || undefined, '--base-url or EXAM_SERVICE_BASE_URL');
  const apiKey = required(given.apiKey?.trim() || undefined, 'EXAM_SERVICE_API_KEY or --api-key');
  const onRetry = ({ delayMs, error }: OnRetryEvent) => {
    if (delayMs < LONG_PAUSE_MS) return;
    const { status } = Object(error);
    const seconds = Math.ceil(delayMs / 1000);
    stderr.write(`The service asks for a pause (${status ?? error.code}): waiting ${seconds} s.\n`);
  };
  try {
    const hooks = { onRetry, onSchemaDrift };
    return new ExamClient({ baseUrl, apiKey, allowInsecureHttp, logLevel: 'off', validation, hooks });
  } catch (error) {
    if (!isExamServiceError(error)) throw error;
    const optionOf = (whole: string, name: string) => namesOfOptions[name] ?? whole;
    throw new CommandError(error.message.replace(/`(\w+)(?:: true)?`/g, optionOf));
  }
}

/** @throws {CommandError} when there is no such endpoint */
export function findEndpoint(endpoints: readonly WebhookEndpoint[], id: number): WebhookEndpoint {
  const endpoint = endpoints.find((one) => one.id === id);
  if (endpoint !== undefined) return endpoint;
  const others = endpoints.length === 0 ? 'none' : endpoints.map((one) => one.id).join(', ');
  throw new CommandError(`There is no webhook endpoint ${id}; the existing ones are: ${others}.`);
}

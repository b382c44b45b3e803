// What the commands that call a real service share: options, client, errors in words.

import { ExamClient } from '../client.ts';
import { isExamServiceError } from '../core/errors/base.ts';
import type { OnRetryEvent } from '../core/hooks.ts';
import type { ClientOptions } from '../core/options/client-options.ts';
import type { WebhookEndpoint, WebhookList } from '../resources/webhook-types.ts';
import { CommandError, UsageError } from './errors.ts';
import type { OptionSpecs, OptionValues } from './options.ts';
import type { Terminal } from './terminal.ts';

/** The options of every command that calls a service. */
export const serviceSpecs = {
  'base-url': { value: 'URL', help: 'The service, with the version prefix (default $EXAM_SERVICE_BASE_URL)' },
  'api-key': {
    value: 'KEY',
    help: 'The key; prefer $EXAM_SERVICE_API_KEY, since other users can read the command line',
  },
  'allow-insecure-http': { help: 'Allows plain http to another machine' },
} satisfies OptionSpecs;

/** Which service to call, and how. */
export interface ServiceSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly allowInsecureHttp: boolean;
}

/**
 * Reads the options of the service; warns if others can read the key.
 *
 * @throws {UsageError} when the address or the key is missing
 */
export function readService(
  values: OptionValues,
  { env, stderr }: Pick<Terminal, 'env' | 'stderr'>,
): ServiceSettings {
  const text = (name: keyof typeof serviceSpecs) => values.get(name)?.at(-1);
  if (values.has('api-key')) {
    stderr.write('Other users can read a key on the command line: set EXAM_SERVICE_API_KEY instead.\n');
  }
  return {
    baseUrl: required(
      text('base-url') ?? env['EXAM_SERVICE_BASE_URL'],
      '--base-url or EXAM_SERVICE_BASE_URL',
    ),
    apiKey: required(text('api-key') ?? env['EXAM_SERVICE_API_KEY'], 'EXAM_SERVICE_API_KEY or --api-key'),
    allowInsecureHttp: values.has('allow-insecure-http'),
  };
}

/** @throws {UsageError} unless `--endpoint` names an id */
export function readEndpointId(values: OptionValues): number {
  const id = required(values.get('endpoint')?.at(-1), '--endpoint, the id of a webhook endpoint,');
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new UsageError(`--endpoint needs the id of a webhook endpoint, a whole number, not ${id}.`);
}

function required(value: string | undefined, names: string): string {
  const trimmed = value?.trim();
  if (!trimmed) throw new UsageError(`${names} is missing.`);
  return trimmed;
}

/** What a command wants of its client. */
type Wanted = Partial<Pick<ClientOptions, 'maxRetries' | 'maxRetryAfter'>>;

/** A pause that is worth telling of, in milliseconds. */
const LONG_PAUSE_MS = 5_000;

/** What the options of a client are called on the command line. */
const namesOfOptions: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  apiKey: 'EXAM_SERVICE_API_KEY',
  allowInsecureHttp: '--allow-insecure-http',
};

/**
 * A client of the service, which tells when the service makes it wait.
 *
 * @throws {CommandError} when the address or the key cannot be right, in the words of the command line
 */
export function connect(
  { baseUrl, apiKey, allowInsecureHttp }: ServiceSettings,
  { stderr }: Pick<Terminal, 'stderr'>,
  wanted: Wanted = {},
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
      hooks: { onRetry },
      ...wanted,
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
export function findEndpoint({ data }: WebhookList, id: number): WebhookEndpoint {
  const endpoint = data.find((one) => one.id === id);
  if (endpoint !== undefined) return endpoint;
  const others = data.length === 0 ? 'none' : data.map((one) => one.id).join(', ');
  throw new CommandError(`There is no webhook endpoint ${id}; the existing ones are: ${others}.`);
}

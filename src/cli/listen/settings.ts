// The options of `exam-service-sdk listen`, read and checked.

import { parseTime } from '../../webhooks/recover/order.ts';
import { UsageError } from '../errors.ts';
import { jsonSpecs, type OptionSpecs, readOptions } from '../options.ts';
import { readEndpointId, readService, type ServiceSettings, serviceSpecs } from '../service.ts';
import type { Terminal } from '../terminal.ts';

const DEFAULT_INTERVAL_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 3600;

export const optionSpecs: OptionSpecs = {
  endpoint: { value: 'ID', help: 'The webhook endpoint whose deliveries to forward' },
  'forward-to': { value: 'URL', help: 'The receiver, such as http://localhost:3000/webhooks' },
  since: {
    value: 'TIME',
    help: 'Forwards earlier deliveries first: 90s, 15m, 1h, 2d, or 2025-03-01T08:00:00+07:00',
  },
  interval: {
    value: 'SECONDS',
    help: `Time between polls of the service (default ${DEFAULT_INTERVAL_SECONDS})`,
  },
  ...serviceSpecs,
  ...jsonSpecs.ongoing,
};

/** What to listen to, and where to forward it. */
export interface ListenSettings {
  readonly service: ServiceSettings;
  readonly endpointId: number;
  readonly forwardTo: string;
  /** In milliseconds since 1970; `null` for deliveries from now on. */
  readonly since: number | null;
  readonly intervalMs: number;
  /** The receiver's secret, if the environment has it. */
  readonly secret: string | undefined;
  readonly json: boolean;
}

/** @throws {UsageError} when an option is invalid */
export function readSettings(
  args: readonly string[],
  terminal: Pick<Terminal, 'env' | 'stderr'>,
): ListenSettings {
  const values = readOptions(args, optionSpecs);
  const text = (name: string) => values.get(name)?.at(-1);
  return {
    endpointId: readEndpointId(values),
    forwardTo: readAddress(text('forward-to')),
    since: readSince(text('since')),
    intervalMs: readInterval(text('interval')),
    service: readService(values, terminal),
    secret: terminal.env['EXAM_SERVICE_WEBHOOK_SECRET']?.trim() || undefined,
    json: values.has('json'),
  };
}

function readAddress(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--forward-to, the URL of the receiver, is missing.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new UsageError(
    '--forward-to needs an http or https URL without a user name, such as http://localhost:3000/webhooks.',
  );
}

const milliseconds: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readSince(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (milliseconds[unit] ?? 0);
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new UsageError(
    `--since needs a time span like 90s, 15m, 1h or 2d, or a time with its zone, not ${text}.`,
  );
}

function readInterval(text: string | undefined): number {
  if (text === undefined) return DEFAULT_INTERVAL_SECONDS * 1000;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= LONGEST_INTERVAL_SECONDS) return seconds * 1000;
  throw new UsageError(
    `--interval needs seconds above 0 and up to ${LONGEST_INTERVAL_SECONDS}, not ${text}.`,
  );
}

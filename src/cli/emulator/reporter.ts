// The output of `exam-service-sdk emulator` while it runs, as text or as JSON lines.

import { offsetOf, withOffset } from '../../testing/emulator/domain/timestamps.ts';
import type { EmulatorActivity } from '../../testing/emulator/emulator-api.ts';
import { type Paint, painter, printable, type Terminal } from '../terminal.ts';
import { lineWriter } from './line-writer.ts';

/** Addresses of an emulator. */
export interface Address {
  /** Base URL for a client. */
  readonly baseUrl: string;
  readonly consoleUrl: string;
  /** Base URL of the control interface. */
  readonly controlUrl: string;
  readonly apiKey: string;
  /** Of the endpoint of the sample data. */
  readonly webhookSecret?: string;
}

/** How many records an emulator holds. */
export interface Counts {
  readonly participants: number;
  readonly exams: number;
  readonly results: number;
  readonly webhooks: number;
}

/** Reports what happens while an emulator runs. */
export interface Reporter {
  started(address: Address, counts: Counts): void;
  happened(activity: EmulatorActivity, at: number): void;
  warn(message: string): void;
  stopped(): void;
}

/** For people. Times are those of the service, as on the console page. */
export function textReporter(terminal: Terminal, zone: { readonly utcOffset: number }): Reporter {
  const paint = painter(terminal.stdout, terminal.env);
  const paintError = painter(terminal.stderr, terminal.env);
  const line = lineWriter(terminal.stdout, (note) => paint('dim', note));
  return {
    started({ baseUrl, consoleUrl, controlUrl, apiKey, webhookSecret }, counts) {
      line(paint('bold', 'Exam service emulator'));
      line(`  Service  ${paint('cyan', baseUrl)}`);
      line(`  Console  ${paint('cyan', consoleUrl)}`);
      line(`  Control  ${paint('cyan', controlUrl)}`);
      line(`  Data     ${Object.entries(counts).map(counted).join(', ')}`);
      line(`  Times    UTC${offsetOf(zone.utcOffset)}`);
      if (webhookSecret !== undefined) line(`  Secret   ${webhookSecret}, of the webhook`);
      line('');
      line(`  curl -H 'X-Client-Key: ${apiKey}' ${baseUrl}/exams`);
      line(`  const client = new ExamClient({ baseUrl: '${baseUrl}', apiKey: '${apiKey}' });`);
      line('');
      line(paint('dim', 'Press Ctrl+C to stop.'));
    },
    happened(activity, at) {
      if (activity.type === 'change') return;
      const time = paint('dim', timeOfDay(at, zone.utcOffset));
      line(
        `${time}  ${activity.type === 'request' ? requestLine(activity, paint) : deliveryLine(activity, paint)}`,
      );
    },
    warn: (message) => terminal.stderr.write(`${paintError('yellow', printable(message))}\n`),
    stopped: () => line('Stopped.'),
  };
}

function timeOfDay(at: number, utcOffset: number): string {
  return withOffset(at, utcOffset).slice('2025-03-01T'.length, '2025-03-01T08:00:00'.length);
}

/** `1 exam`, `2 exams`: the names of counts are plurals. */
function counted([name, count]: [string, number]): string {
  return `${count} ${count === 1 ? name.slice(0, -1) : name}`;
}

function requestLine({ request }: Activity<'request'>, paint: Paint): string {
  const { method, url, path, status } = request;
  const outcome = status === null ? paint('red', 'no response') : paint(statusColor(status), String(status));
  return `${method.padEnd(6)} ${printable(path + new URL(url).search)}  ${outcome}`;
}

function deliveryLine({ attempt: sent }: Activity<'delivery'>, paint: Paint): string {
  const { event, url, attempt, response_code: status, error_message: error } = sent;
  const outcome = error === null ? paint('green', String(status)) : paint('red', printable(error));
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${paint('cyan', 'event ')} ${event} to ${printable(url)}${again}  ${outcome}`;
}

function statusColor(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

/** For programs: one JSON object per line, with `time` and `type`. */
export function jsonReporter({ stdout }: Terminal): Reporter {
  const json = (type: string, values: object, at: number = Date.now()) =>
    JSON.stringify({ time: new Date(at).toISOString(), type, ...values });
  const write = lineWriter(stdout, (message) => json('warning', { message }));
  const line = (...entry: Parameters<typeof json>) => write(json(...entry));
  return {
    started: ({ baseUrl, consoleUrl, controlUrl, webhookSecret }, counts) =>
      line('started', {
        base_url: baseUrl,
        console_url: consoleUrl,
        control_url: controlUrl,
        webhook_secret: webhookSecret,
        ...counts,
      }),
    happened(activity, at) {
      if (activity.type === 'request') {
        const { operation, method, path, query, status } = activity.request;
        line('request', { operation, method, path, query, status }, at);
      } else if (activity.type === 'delivery') {
        const { delivery_id, endpoint_id, event, url, attempt, response_code, error_message } =
          activity.attempt;
        line('delivery', { delivery_id, endpoint_id, event, url, attempt, response_code, error_message }, at);
      }
    },
    warn: (message) => line('warning', { message }),
    stopped: () => line('stopped', {}),
  };
}

type Activity<Type extends EmulatorActivity['type']> = Extract<EmulatorActivity, { type: Type }>;

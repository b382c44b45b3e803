// What `exam-service-sdk emulator` reports while it runs. Times are those of the service, as on the console page.

import { CONTROL_PREFIX } from '../../testing/control/route.ts';
import { offsetOf, withOffset } from '../../testing/emulator/domain/timestamps.ts';
import type { Emulator, EmulatorActivity } from '../../testing/emulator/emulator-api.ts';
import type { Reporter } from '../reporter.ts';
import { type Paint, printable } from '../terminal.ts';

/** @param secret Of the endpoint of the sample data. */
export function reportStart(
  { report }: Reporter,
  { apiKey, settings, snapshot }: Emulator,
  url: string,
  secret: string | undefined,
): void {
  const { origin } = new URL(url);
  const addresses = { base_url: url, console_url: `${origin}/`, control_url: origin + CONTROL_PREFIX };
  const { participants, exams, results, endpoints: webhooks } = snapshot();
  const counts = Object.entries({ participants, exams, results, webhooks }).map(
    ([name, { length }]) => [name, length] as const,
  );
  const values = { ...addresses, webhook_secret: secret, ...Object.fromEntries(counts) };
  report('started', values, (paint) =>
    [
      paint('bold', 'Exam service emulator'),
      `  Service  ${paint('cyan', url)}`,
      `  Console  ${paint('cyan', addresses.console_url)}`,
      `  Control  ${paint('cyan', addresses.control_url)}`,
      // The names of counts are plurals.
      `  Data     ${counts.map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`).join(', ')}`,
      `  Times    UTC${offsetOf(settings.utcOffset)}`,
      ...(secret === undefined ? [] : [`  Secret   ${secret}, of the webhook`]),
      '',
      `  curl -H 'X-Client-Key: ${apiKey}' ${url}/exams`,
      `  const client = new ExamClient({ baseUrl: '${url}', apiKey: '${apiKey}' });`,
      '',
      paint('dim', 'Press Ctrl+C to stop.'),
    ].join('\n'),
  );
}

export function reportActivity(
  { report }: Reporter,
  { clock, settings }: Emulator,
  { type, request, attempt: sent }: EmulatorActivity,
): void {
  const at = clock.now();
  const timed = (paint: Paint, text: string) =>
    `${paint('dim', withOffset(at, settings.utcOffset).slice('2025-03-01T'.length, '2025-03-01T08:00:00'.length))}  ${text}`;
  if (request !== null) {
    const { operation, method, path, query, status, url } = request;
    const line = `${method.padEnd(6)} ${printable(path + new URL(url).search)}`;
    const outcome = (paint: Paint) =>
      status === null ? paint('red', 'no response') : paint(statusColor(status), String(status));
    const facts = { operation, method, path, query, status };
    report(type, facts, (paint) => timed(paint, `${line}  ${outcome(paint)}`), at);
  }
  if (sent !== null) {
    const { delivery_id, endpoint_id, event, url, attempt, response_code, error_message } = sent;
    const values = { delivery_id, endpoint_id, event, url, attempt, response_code, error_message };
    const again = attempt > 1 ? `, attempt ${attempt}` : '';
    const outcome = (paint: Paint) =>
      error_message === null ? paint('green', String(response_code)) : paint('red', printable(error_message));
    const line = (paint: Paint) =>
      `${paint('cyan', 'event ')} ${event} to ${printable(url)}${again}  ${outcome(paint)}`;
    report(type, values, (paint) => timed(paint, line(paint)), at);
  }
}

function statusColor(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

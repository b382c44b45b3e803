// The output of `exam-service-sdk listen` while it runs, as text or as JSON lines.

import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { painter, printable, type Terminal } from '../terminal.ts';
import type { ForwardResult } from './forward.ts';

/** Source and target of deliveries. */
export interface Route {
  readonly endpointId: number;
  readonly forwardTo: string;
  /** The signing secret; `null` if the receiver already has it. */
  readonly secret: string | null;
}

/** Reports what happens while it listens. */
export interface Reporter {
  started(route: Route): void;
  forwarded(delivery: WebhookDelivery, outcome: ForwardResult): void;
  /** The service has stopped responding. */
  outage(message: string): void;
  back(): void;
  warn(message: string): void;
  stopped(): void;
}

/** For people. */
export function textReporter(terminal: Terminal): Reporter {
  const paint = painter(terminal.stdout, terminal.env);
  const paintError = painter(terminal.stderr, terminal.env);
  const line = (text: string) => terminal.stdout.write(`${text}\n`);
  const timed = (text: string) => line(`${paint('dim', new Date().toTimeString().slice(0, 8))}  ${text}`);
  const warn = (message: string) => terminal.stderr.write(`${paintError('yellow', printable(message))}\n`);
  return {
    started({ endpointId, forwardTo, secret }) {
      line(paint('bold', `Deliveries to endpoint ${endpointId}`));
      line(`  Forwarded to  ${paint('cyan', forwardTo)}`);
      line(`  Signed with   ${secret === null ? '$EXAM_SERVICE_WEBHOOK_SECRET' : paint('cyan', secret)}`);
      line('');
      if (secret !== null) {
        line(
          'Configure your receiver with this secret. It changes on every start unless $EXAM_SERVICE_WEBHOOK_SECRET is set.',
        );
      }
      line(paint('dim', 'Press Ctrl+C to stop.'));
    },
    forwarded({ event, id }, outcome) {
      const took =
        'error' in outcome
          ? paint('red', `not forwarded: ${printable(outcome.error)}`)
          : paint(outcome.status < 300 ? 'green' : 'red', String(outcome.status));
      timed(`${paint('cyan', printable(event))} ${paint('dim', printable(id))}  ${took}`);
    },
    outage: (message) => warn(`The service does not respond; retrying: ${message}`),
    back: () => timed('The service responds again.'),
    warn,
    stopped: () => line('Stopped.'),
  };
}

/** For programs: one JSON object per line, with `time` and `type`. */
export function jsonReporter({ stdout }: Terminal): Reporter {
  const line = (type: string, values: object = {}) =>
    stdout.write(`${JSON.stringify({ time: new Date().toISOString(), type, ...values })}\n`);
  return {
    started: ({ endpointId, forwardTo, secret }) =>
      line('started', { endpoint_id: endpointId, forward_to: forwardTo, secret }),
    forwarded: ({ id, event, created_at }, outcome) =>
      line('forwarded', { delivery_id: id, event, created_at, status: null, error: null, ...outcome }),
    outage: (message) => line('outage', { message }),
    back: () => line('back'),
    warn: (message) => line('warning', { message }),
    stopped: () => line('stopped'),
  };
}

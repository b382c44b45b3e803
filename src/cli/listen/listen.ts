// `exam-service-sdk listen`: forwards the deliveries of a webhook endpoint to a receiver on this machine.

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExamClient } from '../../client.ts';
import { isExamServiceError } from '../../core/errors/base.ts';
import { parseTime } from '../../util/iso-time.ts';
import type { Command } from '../command.ts';
import { address, countOption, jsonOption, readOptions, required, value } from '../command-options.ts';
import { UsageError } from '../errors.ts';
import { helpOf } from '../help.ts';
import { createReporter } from '../reporter.ts';
import { findEndpoint, readEndpointId, serviceOptions, withClient } from '../service.ts';
import { type Paint, printable } from '../terminal.ts';
import { NewDeliveries } from './deliveries.ts';
import { type ForwardResult, forward } from './forward.ts';

const DEFAULT_INTERVAL_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 3600;

const TIMES = '90s, 15m, 1h, 2d, or 2025-03-01T08:00:00+07:00';

const listenOptions = {
  endpoint: countOption('ID', 'The webhook endpoint whose deliveries to forward', { min: 1 }),
  'forward-to': address('URL', 'The receiver, such as http://localhost:3000/webhooks'),
  since: value('TIME', `Forwards earlier deliveries first: ${TIMES}`, readSince),
  interval: value(
    'SECONDS',
    `Time between polls of the service (default ${DEFAULT_INTERVAL_SECONDS})`,
    readInterval,
  ),
  ...serviceOptions,
  ...jsonOption.ongoing,
};

export const listenCommand: Command = {
  summary: 'Forwards the deliveries of a webhook endpoint to this machine',
  help: helpOf({
    usage: 'listen --endpoint ID --forward-to URL [options]',
    about:
      'Polls the delivery records of a webhook endpoint and forwards each new one to a receiver on this ' +
      'machine, without a tunnel. Deliveries are signed again with a local secret, which is printed at ' +
      'the start, or with $EXAM_SERVICE_WEBHOOK_SECRET if that is set. A delivery that the receiver ' +
      'rejects is not retried; use `--since` to forward it again.',
    options: listenOptions,
    examples: [
      'exam-service-sdk listen --endpoint 3 --forward-to http://localhost:3000/webhooks',
      'exam-service-sdk listen --endpoint 3 --forward-to http://localhost:3000/webhooks --since 1h',
    ],
  }),
  async run(args, terminal) {
    const values = readOptions(args, listenOptions);
    const endpointId = readEndpointId(values);
    const forwardTo = required(values['forward-to'], '--forward-to, the URL of the receiver,');
    const { since, interval = DEFAULT_INTERVAL_SECONDS } = values;
    const ownSecret = terminal.env['EXAM_SERVICE_WEBHOOK_SECRET']?.trim() || null;
    const secret = ownSecret ?? `whsec_${randomBytes(24).toString('hex')}`;
    const { report, warn } = createReporter(terminal, values.json);
    const { stop } = terminal;
    const listen = async (client: ExamClient) => {
      // It polls repeatedly anyway.
      const { webhooks } = client.withOptions({ maxRetries: 0 });
      const endpoint = findEndpoint(await webhooks.list({ signal: stop }), endpointId);
      const onBack = () =>
        warn('The clock of the service, or its data, went back; new deliveries are forwarded as before.');
      const deliveries =
        since === undefined
          ? await NewDeliveries.fromNow(webhooks, endpointId, stop, onBack)
          : new NewDeliveries(webhooks, endpointId, since, onBack);
      const made = ownSecret === null ? secret : null;
      report('started', { endpoint_id: endpointId, forward_to: forwardTo, secret: made }, (paint) =>
        [
          paint('bold', `Deliveries to endpoint ${endpointId}`),
          `  Forwarded to  ${paint('cyan', forwardTo)}`,
          `  Signed with   ${made === null ? '$EXAM_SERVICE_WEBHOOK_SECRET' : paint('cyan', made)}`,
          '',
          ...(made === null ? [] : [SECRET_ADVICE]),
          paint('dim', 'Press Ctrl+C to stop.'),
        ].join('\n'),
      );
      if (!endpoint.is_active) {
        warn(`Endpoint ${endpointId} is not active, so nothing new is delivered to it.`);
      }
      let isAway = false;
      for (;;) {
        try {
          const taken = await deliveries.take(stop);
          if (isAway) report('back', {}, (paint) => timed(paint, 'The service responds again.'));
          isAway = false;
          for (const delivery of taken) {
            const { id: delivery_id, event, created_at } = delivery;
            const outcome = await forward(delivery, { url: forwardTo, secret, stop });
            const facts = { delivery_id, event, created_at, status: null, error: null, ...outcome };
            report('forwarded', facts, (paint) => {
              const named = `${paint('cyan', printable(event))} ${paint('dim', printable(delivery_id))}`;
              return timed(paint, `${named}  ${outcomeIn(paint, outcome)}`);
            });
          }
        } catch (error) {
          if (!isExamServiceError(error)) throw error;
          if (error.code === 'not_found') findEndpoint(await webhooks.list({ signal: stop }), endpointId);
          if (!error.retryable) throw error;
          if (!isAway) warn(`The service does not respond; retrying: ${error.message}`, 'outage');
          isAway = true;
        }
        await wait(interval * 1000, undefined, { signal: stop });
      }
    };
    try {
      await withClient(values, terminal, '', listen);
    } catch (error) {
      if (!stop.aborted) throw error;
    }
    report('stopped', {}, () => 'Stopped.');
  },
};

const SECRET_ADVICE =
  'Configure your receiver with this secret. It changes on every start unless $EXAM_SERVICE_WEBHOOK_SECRET is set.';

function timed(paint: Paint, text: string): string {
  return `${paint('dim', new Date().toTimeString().slice(0, 8))}  ${text}`;
}

function outcomeIn(paint: Paint, outcome: ForwardResult): string {
  if ('error' in outcome) return paint('red', `not forwarded: ${printable(outcome.error)}`);
  return paint(outcome.status < 300 ? 'green' : 'red', String(outcome.status));
}

const milliseconds: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds since 1970. */
function readSince(text: string, name: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (milliseconds[unit] ?? 0);
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new UsageError(`${name} needs a time span or a time, like ${TIMES}, not ${text}.`);
}

function readInterval(text: string, name: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_INTERVAL_SECONDS) return seconds;
  throw new UsageError(`${name} needs seconds above 0 and up to ${MAX_INTERVAL_SECONDS}, not ${text}.`);
}

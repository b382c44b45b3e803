// `exam-service-sdk listen`: forwards the deliveries of a webhook endpoint to a receiver on this machine.

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isExamServiceError } from '../../core/errors/base.ts';
import type { Command } from '../command.ts';
import { helpOf } from '../options.ts';
import { connect, findEndpoint, withService } from '../service.ts';
import type { Terminal } from '../terminal.ts';
import { NewDeliveries } from './deliveries.ts';
import { forward } from './forward.ts';
import { jsonReporter, type Reporter, textReporter } from './reporter.ts';
import { type ListenSettings, optionSpecs, readSettings } from './settings.ts';

export const listenCommand: Command = {
  summary: 'Forwards the deliveries of a webhook endpoint to this machine',
  help: helpOf({
    usage: 'listen --endpoint ID --forward-to URL [options]',
    about:
      'Polls the delivery records of a webhook endpoint and forwards each new one to a receiver on this ' +
      'machine, without a tunnel. Deliveries are signed again with a local secret, which is printed at ' +
      'the start, or with $EXAM_SERVICE_WEBHOOK_SECRET if that is set. A delivery that the receiver ' +
      'rejects is not retried; use `--since` to forward it again.',
    options: optionSpecs,
    examples: [
      'exam-service-sdk listen --endpoint 3 --forward-to http://localhost:3000/webhooks',
      'exam-service-sdk listen --endpoint 3 --forward-to http://localhost:3000/webhooks --since 1h',
    ],
  }),
  async run(args, terminal) {
    const settings = readSettings(args, terminal);
    const reporter = settings.json ? jsonReporter(terminal) : textReporter(terminal);
    const { stop } = terminal;
    try {
      await withService(() => listen(settings, reporter, terminal), stop, '');
    } catch (error) {
      if (!stop.aborted) throw error;
    }
    reporter.stopped();
  },
};

async function listen(settings: ListenSettings, reporter: Reporter, terminal: Terminal): Promise<void> {
  const { endpointId, forwardTo, since } = settings;
  const { stop } = terminal;
  // It polls repeatedly anyway.
  const { webhooks } = connect(settings.service, terminal).withOptions({ maxRetries: 0 });
  const endpoint = findEndpoint(await webhooks.list({ signal: stop }), endpointId);
  const deliveries =
    since === null
      ? await NewDeliveries.fromNow(webhooks, endpointId, stop)
      : NewDeliveries.since(webhooks, endpointId, since);
  const secret = settings.secret ?? `whsec_${randomBytes(24).toString('hex')}`;
  reporter.started({ endpointId, forwardTo, secret: settings.secret === undefined ? secret : null });
  if (!endpoint.is_active) {
    reporter.warn(`Endpoint ${endpointId} is not active, so nothing new is delivered to it.`);
  }
  let isAway = false;
  for (;;) {
    try {
      const taken = await deliveries.take(stop);
      if (isAway) reporter.back();
      isAway = false;
      for (const delivery of taken) {
        reporter.forwarded(delivery, await forward(delivery, { url: forwardTo, secret, stop }));
      }
    } catch (error) {
      if (!isExamServiceError(error) || !error.retryable) throw error;
      if (!isAway) reporter.outage(error.message);
      isAway = true;
    }
    await wait(settings.intervalMs, undefined, { signal: stop });
  }
}

// `exam-service-sdk trigger`: asks the service to send a test delivery.

import { isDocumentedEvent, webhookEventNames } from '../schemas/webhook-event.ts';
import type { Command } from './command.ts';
import { countOption, jsonOption, readOptions, required } from './command-options.ts';
import { CommandError } from './errors.ts';
import { helpOf } from './help.ts';
import { findEndpoint, readEndpointId, serviceOptions, withClient } from './service.ts';
import { printable } from './terminal.ts';

const triggerOptions = {
  endpoint: countOption('ID', 'The webhook endpoint to deliver to', { min: 1 }),
  ...serviceOptions,
  ...jsonOption.once,
};

export const triggerCommand: Command = {
  summary: 'Asks the service to send a test delivery',
  help: helpOf({
    usage: 'trigger <event> --endpoint ID [options]',
    about:
      'Asks the service to deliver a test event to a webhook endpoint (POST /webhooks/{id}/test). If ' +
      '`listen` is running, the delivery arrives on this machine as well.',
    options: triggerOptions,
    examples: ['exam-service-sdk trigger exam_result.completed --endpoint 3'],
  }),
  async run(args, terminal) {
    const values = readOptions(args, triggerOptions, ['event']);
    const event = required(values.event, 'The event, such as exam_result.completed,');
    if (!isDocumentedEvent(event)) {
      // The service would send another event in its place.
      const names = webhookEventNames.join(', ');
      throw new CommandError(`The service has no event ${printable(event)}; its events are: ${names}.`);
    }
    const id = readEndpointId(values);
    const { stdout, stderr, stop: signal } = terminal;
    const stopped = 'Stopped; the delivery may have been queued.';
    await withClient(values, terminal, stopped, async ({ webhooks }) => {
      const endpoint = findEndpoint(await webhooks.list({ signal }), id);
      if (!endpoint.is_active) {
        throw new CommandError(`Endpoint ${id} is not active: only active ones get test deliveries.`);
      }
      if (!endpoint.events.includes(event)) {
        stderr.write(`Endpoint ${id} is not subscribed to ${event}, so it may not be delivered.\n`);
      }
      const { queued } = await webhooks.test(id, { event }, { signal });
      if (!queued) throw new CommandError('The service did not queue the delivery.');
    });
    stdout.write(
      values.json
        ? `${JSON.stringify({ type: 'queued', event, endpoint_id: id })}\n`
        : `The service has queued a test delivery of ${printable(event)} to endpoint ${id}.\n`,
    );
  },
};

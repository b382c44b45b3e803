// `exam-service-sdk emulator`: serves the emulator on a local port until it is stopped.

import { demoWebhook, seedDemo } from '../../testing/control/fill.ts';
import { CONTROL_PREFIX } from '../../testing/control/route.ts';
import { createEmulator } from '../../testing/create-emulator.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import type { EmulatorServer } from '../../testing/emulator/http/server.ts';
import { messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { helpOf } from '../help.ts';
import type { Terminal } from '../terminal.ts';
import { type EmulatorRun, options, readSettings } from './emulator-run.ts';
import { type Counts, jsonReporter, type Reporter, textReporter } from './reporter.ts';
import { seedFromFile } from './seed-file.ts';

export const emulatorCommand: Command = {
  summary: 'The exam service on a local port, for building and testing without the real one',
  help: helpOf({
    usage: 'emulator [options]',
    about:
      'Serves the exam administration service on this machine, with a console page at its root and, ' +
      'below /__emulator, a control interface for programs in any language.',
    options,
    examples: [
      'exam-service-sdk emulator --demo',
      'exam-service-sdk emulator --seed participants.json --seed exams.json',
      'exam-service-sdk emulator --port 0 --json --style envelope',
    ],
  }),
  async run(args, terminal) {
    const settings = readSettings(args);
    const emulator = createEmulator(settings.options);
    const reporter = settings.json ? jsonReporter(terminal) : textReporter(terminal, emulator.settings);
    try {
      if (settings.demo) seedDemo(emulator);
      for (const path of settings.seeds) await seedFromFile(emulator, path);
      await serve(emulator, settings, { reporter, terminal });
    } finally {
      // Ends what is in flight, such as a delivery to a receiver that does not respond.
      emulator.reset();
    }
  },
};

async function serve(
  emulator: Emulator,
  settings: EmulatorRun,
  { reporter, terminal }: { reporter: Reporter; terminal: Terminal },
): Promise<void> {
  const server = await listen(emulator, settings);
  const unsubscribe = emulator.subscribe((activity) => reporter.happened(activity, emulator.clock.now()));
  const { origin } = new URL(server.url);
  const address = {
    baseUrl: server.url,
    consoleUrl: `${origin}/`,
    controlUrl: origin + CONTROL_PREFIX,
    apiKey: settings.apiKey,
    ...(settings.demo && { webhookSecret: demoWebhook.secret }),
  };
  reporter.started(address, counts(emulator));
  if (!/^(localhost|127\.[\d.]+|::1)$/.test(settings.host)) {
    reporter.warn(
      'Anyone who can reach this machine over the network can use the emulator, its console and its control interface.',
    );
  }
  await untilStopped(terminal.stop);
  unsubscribe();
  await server.close();
  reporter.stopped();
}

async function listen(emulator: Emulator, { host, port, allowHosts }: EmulatorRun): Promise<EmulatorServer> {
  try {
    return await emulator.listen({ host, port, allowHosts });
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

function counts(emulator: Emulator): Counts {
  const { participants, exams, results, endpoints } = emulator.snapshot();
  return {
    participants: participants.length,
    exams: exams.length,
    results: results.length,
    webhooks: endpoints.length,
  };
}

function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

// `exam-service-sdk emulator`: serves the emulator on a local port until it is stopped.

import { once } from 'node:events';
import { demoWebhook, seedDemo } from '../../testing/control/fill.ts';
import { createEmulator } from '../../testing/create-emulator.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { helpOf } from '../help.ts';
import { createReporter, type Reporter } from '../reporter.ts';
import { type EmulatorRun, options, readSettings } from './emulator-run.ts';
import { reportActivity, reportStart } from './reporter.ts';
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
    try {
      if (settings.demo) seedDemo(emulator);
      for (const path of settings.seeds) await seedFromFile(emulator, path);
      await serve(emulator, settings, createReporter(terminal, settings.json), terminal.stop);
    } finally {
      // Ends what is in flight, such as a delivery to a receiver that does not respond.
      emulator.reset();
    }
  },
};

async function serve(
  emulator: Emulator,
  settings: EmulatorRun,
  reporter: Reporter,
  stop: AbortSignal,
): Promise<void> {
  const { host, port, allowHosts } = settings;
  const server = await emulator.listen({ host, port, allowHosts }).catch((error) => {
    throw new CommandError(messageOf(error));
  });
  const unsubscribe = emulator.subscribe((activity) => reportActivity(reporter, emulator, activity));
  reportStart(reporter, emulator, server.url, settings.demo ? demoWebhook.secret : undefined);
  if (!/^(localhost|127\.[\d.]+|::1)$/.test(host)) {
    reporter.warn(
      'Anyone who can reach this machine over the network can use the emulator, its console and its control interface.',
    );
  }
  if (!stop.aborted) await once(stop, 'abort');
  unsubscribe();
  await server.close();
  reporter.report('stopped', {}, () => 'Stopped.');
}

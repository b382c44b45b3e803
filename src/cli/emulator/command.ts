// `exam-service-sdk emulator`: serves the emulator on a local port until it is stopped.

import { realpath } from 'node:fs/promises';
import { seedDemo } from '../../testing/control/fill.ts';
import { CONTROL_PREFIX } from '../../testing/control/route.ts';
import { createEmulator } from '../../testing/create-emulator.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import type { EmulatorServer } from '../../testing/emulator/http/server.ts';
import { messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { helpOf } from '../help.ts';
import type { Terminal } from '../terminal.ts';
import { type Counts, jsonReporter, type Reporter, textReporter } from './reporter.ts';
import { createSaver, type Saver } from './saver.ts';
import { seedFromFile } from './seed-file.ts';
import { type EmulatorSettings, options, readSettings } from './settings.ts';
import { restoreState, saveState } from './state-file.ts';
import { lockState } from './state-lock.ts';

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
      'exam-service-sdk emulator --seed participants.csv --seed exams.json',
      'exam-service-sdk emulator --port 0 --json --state emulator.json',
    ],
  }),
  async run(args, terminal) {
    const given = readSettings(args);
    // Where a link leads: two emulators would not see each other's locks, and a save would replace the link.
    const state = given.state && (await realpath(given.state).catch(() => given.state));
    const settings = { ...given, state };
    const emulator = createEmulator(settings.options);
    const reporter = settings.json ? jsonReporter(terminal) : textReporter(terminal, emulator.settings);
    const unlock =
      settings.state === undefined
        ? undefined
        : await lockState(settings.state, (message) => reporter.warn(message));
    try {
      await fill(emulator, settings, reporter);
      await serve(emulator, settings, { reporter, terminal });
    } finally {
      // Ends what is in flight, such as a delivery to a receiver that does not respond.
      emulator.reset();
      await unlock?.();
    }
  },
};

/** Restores the state of the last run, or seeds if there is none. */
async function fill(
  emulator: Emulator,
  { state, seeds, demo }: EmulatorSettings,
  reporter: Reporter,
): Promise<void> {
  if (state !== undefined && (await restoreState(emulator, state))) {
    if (seeds.length > 0 || demo)
      reporter.warn(`Loaded the data from ${state}; --seed and --demo only apply to an empty emulator.`);
    return;
  }
  if (demo) seedDemo(emulator.control);
  for (const path of seeds) {
    await seedFromFile(emulator, path, (row) => reporter.warn(`Left out: ${row}`));
  }
}

async function serve(
  emulator: Emulator,
  settings: EmulatorSettings,
  { reporter, terminal }: { reporter: Reporter; terminal: Terminal },
): Promise<void> {
  const server = await listen(emulator, settings);
  const saver = saverFor(emulator, settings, reporter);
  saver?.changed();
  const unsubscribe = emulator.subscribe((activity) => {
    reporter.happened(activity, emulator.clock.now());
    if (activity.type === 'change') saver?.changed();
  });
  const { origin } = new URL(server.url);
  const address = {
    baseUrl: server.url,
    consoleUrl: `${origin}/`,
    controlUrl: origin + CONTROL_PREFIX,
    apiKey: settings.apiKey,
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
  await saver?.finish();
  reporter.stopped();
}

async function listen(
  emulator: Emulator,
  { host, port, allowHosts }: EmulatorSettings,
): Promise<EmulatorServer> {
  try {
    return await emulator.listen({ host, port, allowHosts });
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

function saverFor(emulator: Emulator, { state }: EmulatorSettings, reporter: Reporter): Saver | undefined {
  if (state === undefined) return undefined;
  return createSaver(
    () => saveState(emulator, state),
    (error) => reporter.warn(messageOf(error)),
  );
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

#!/usr/bin/env node
// The executable: runs the program on this process and stops it on SIGINT, on SIGTERM and when its terminal is closed.

import { hasCode, messageOf } from '../util/errors.ts';
import { runCli } from './cli.ts';

const { stdout, stderr } = process;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());

for (const stream of [stdout, stderr]) {
  stream.once('error', (error) => {
    // The reader may exit first, as `head` does. Without one of the output, there is nothing more to do.
    const isUnread = hasCode(error, 'EPIPE');
    if (!isUnread) {
      process.exitCode = 1;
      stderr.write(`The output cannot be written: ${messageOf(error)}\n`);
    }
    if (!isUnread || stream === stdout) stop.abort();
  });
  // Each further write may fail as well.
  stream.on('error', () => {});
}

/** How long the output may take to be read once a signal has ended the command, in milliseconds. */
const OUTPUT_GRACE = 500;

runCli(process.argv.slice(2), { stdout, stderr, env: process.env, stop: stop.signal }).then((code) => {
  process.exitCode ||= code;
  // A pipe that nobody reads would keep the process; without a signal, whoever reads it may take their time.
  if (stop.signal.aborted) setTimeout(() => process.exit(), OUTPUT_GRACE).unref();
});

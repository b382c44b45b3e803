#!/usr/bin/env node
// The executable: runs the program on this process and stops it on SIGINT and SIGTERM.

import { runCli } from './cli.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
// The reader of the output may exit first, as `head` does.
process.stdout.on('error', () => stop.abort());

runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  stop: stop.signal,
}).then((code) => {
  process.exitCode = code;
});

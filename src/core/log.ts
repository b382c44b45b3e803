// The log of a client: its levels, its lines, and where they go.

import { isBrowserPage, readEnvironment } from '../util/platform.ts';
import { describeIssues } from '../util/standard-schema.ts';
import { isExamServiceError } from './errors/base.ts';
import type { CallEvent, HookEvent, Hooks, RequestEvent } from './hooks.ts';

/** Receives log lines; `console` will do. */
export interface Logger {
  /** Receives every request, its response, and failed calls. */
  debug(message: string): void;
  /** Receives retries and pauses. */
  info(message: string): void;
  /** Receives responses of an unexpected shape, deprecated operations and failing hooks. */
  warn(message: string): void;
  /** Not used so far: a failed call rejects, and its caller decides how serious that is. */
  error?(message: string): void;
}

/** The least severe level that is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

/** The log levels, from the least severe. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'off'] as const satisfies readonly LogLevel[];

type Level = Exclude<LogLevel, 'off'>;
export type Log = (level: Level, message: string) => void;

/** Writes lines of at least this level; one that cannot be written is dropped. */
export function createLog(logger: Logger, threshold: LogLevel): Log {
  return async (level, message) => {
    try {
      if (isOn(level, threshold)) await logger[level]?.(`exam-service-sdk: ${message}`);
    } catch {
      // There is nowhere left to report to, and logging must not break a call.
    }
  };
}

function isOn(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** The console; outside of a page, all its lines go to standard error, since standard output is the program's. */
export function defaultLogger(): Logger {
  if (isBrowserPage()) return console;
  const log = (message: string) => console.error(message);
  return { debug: log, info: log, warn: (message) => console.warn(message), error: log };
}

/** The level, in upper or lower case. An unknown one is `warn`: a mistake that only concerns the log must not throw. */
export function readLogLevel(option: unknown, logger: Logger): LogLevel {
  const given = option === undefined ? readEnvironment('EXAM_SERVICE_LOG') : option;
  if (given === undefined) return 'warn';
  const lowerCased = typeof given === 'string' ? given.toLowerCase() : '';
  const level = logLevels.find((name) => name === lowerCased);
  if (level !== undefined) return level;
  const source = option === undefined ? 'EXAM_SERVICE_LOG' : '`logLevel`';
  createLog(logger, 'warn')('warn', `${source} must be one of ${logLevels.join(', ')}: \`warn\` is used.`);
  return 'warn';
}

/** The lines of the log by event; `undefined` for an event that is not logged. */
const lines: {
  readonly [Name in keyof Hooks]?: readonly [Level, (event: HookEvent<Name>) => string | undefined];
} = {
  onRequest: ['debug', (event) => `${describeRequest(event)} sent`],
  onResponse: [
    'debug',
    (event) => `${describeRequest(event)}: ${event.status} after ${Math.round(event.durationMs)} ms`,
  ],
  // The error reaches the caller, who decides how serious it is; here it is only traced.
  onEnd: ['debug', ({ error }) => (isExamServiceError(error) ? error.message : undefined)],
  // A pause of the whole client is logged separately.
  onRetry: [
    'info',
    ({ error, delayMs }) =>
      error.code === 'rate_limit' ? undefined : `${error.message} Retrying in ${delayMs} ms.`,
  ],
  onSchemaDrift: [
    'warn',
    ({ operation, issues }) =>
      `${operation}: the response has an unexpected shape: ${describeIssues(issues)}`,
  ],
  onDeprecation: [
    'warn',
    ({ operation, sunset }) =>
      `${operation}: the service has deprecated this operation${sunset ? `; it ends ${sunset}` : ''}`,
  ],
};

/** Writes the line of each event, where its level is on. */
export function lineWriters(log: Log, threshold: LogLevel, warned: Set<string>) {
  const writers = new Map<string, (event: CallEvent) => void>();
  for (const [name, [level, describeEvent]] of Object.entries(lines)) {
    if (!isOn(level, threshold)) continue;
    writers.set(name, (event) => {
      // Once for each operation: every response says it.
      if (name === 'onDeprecation' && warned.has(event.operation)) return;
      if (name === 'onDeprecation') warned.add(event.operation);
      const line = describeEvent(event as never);
      if (line !== undefined) log(level, line);
    });
  }
  return writers;
}

function describeRequest({ operation, method, url, attempt }: RequestEvent): string {
  return `${operation}: ${method} ${new URL(url).pathname}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
}

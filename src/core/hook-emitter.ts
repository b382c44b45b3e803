// Calls the hooks of a client with what happens during its calls, and writes the log. An unset hook costs nothing: its
// property is absent, and its event is not created.

import { describeIssues } from '../util/standard-schema.ts';
import { isExamServiceError } from './errors/base.ts';
import {
  type CallEvent,
  type Hooks,
  hookTable,
  type Logger,
  type LogLevel,
  logLevels,
  type RequestEvent,
} from './hooks.ts';
import { isThenable } from './time.ts';

type Event<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Emits events; a property is absent if nobody listens. */
export type Emitter = {
  /** Gives a promise if a hook does, which resolves when all hooks are done, and never rejects. */
  readonly [Name in keyof Hooks]?: (event: Event<Name>) => Promise<unknown> | undefined;
} & {
  /** Writes a line to the client's log. */
  readonly log: Log;
};

/** Where events go. */
interface Listeners {
  readonly hooks: readonly Hooks[];
  readonly logger: Logger;
  readonly logLevel: LogLevel;
}

type Level = Exclude<LogLevel, 'off'>;
type Log = (level: Level, message: string) => void;

/** `warned` are the operations of which the log says already that they are deprecated. */
export function createEmitter({ hooks, logger, logLevel }: Listeners, warned: Set<string>): Emitter {
  const log = createLog(logger, logLevel);
  const writers = lineWriters(log, logLevel, warned);
  const emitters: Partial<Record<keyof Hooks, (event: never) => unknown>> = {};
  for (const name of Object.keys(hookTable) as (keyof Hooks)[]) {
    const listening = hooks.filter((set) => set[name]);
    const write = writers.get(name);
    if (listening.length === 0 && write === undefined) continue;
    const fail = () => log('warn', `the hook ${name} failed; the call continues`);
    const call = (set: Hooks, event: never) => {
      try {
        const result = set[name]?.(event);
        return isThenable(result) ? [Promise.resolve(result).catch(fail)] : [];
      } catch {
        fail();
        return [];
      }
    };
    emitters[name] = (event) => {
      const pending = listening.flatMap((set) => call(set, event));
      write?.(event);
      return pending.length > 0 ? Promise.all(pending) : undefined;
    };
  }
  return { ...(emitters as Emitter), log };
}

/** Writes lines of at least this level; one that cannot be written is dropped. */
export function createLog(logger: Logger, threshold: LogLevel): Log {
  return async (level, message) => {
    try {
      if (isOn(level, threshold)) await logger[level](`exam-service-sdk: ${message}`);
    } catch {
      // There is nowhere left to report to, and logging must not break a call.
    }
  };
}

function isOn(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** The lines of the log by event; `undefined` for an event that is not logged. */
const lines: {
  readonly [Name in keyof Hooks]?: readonly [Level, (event: Event<Name>) => string | undefined];
} = {
  onRequest: ['debug', (event) => `${describe(event)} sent`],
  onResponse: [
    'debug',
    (event) => `${describe(event)}: ${event.status} after ${Math.round(event.durationMs)} ms`,
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
function lineWriters(log: Log, threshold: LogLevel, warned: Set<string>) {
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

function describe({ operation, method, url, attempt }: RequestEvent): string {
  return `${operation}: ${method} ${new URL(url).pathname}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
}

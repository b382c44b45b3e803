// Tells the caller's hooks what happens during a call. The log is one more set of hooks. A hook that nobody has set costs
// nothing: its property is absent, and the arguments of its call are not made.

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
import type { HeaderRecord } from './options/call-options.ts';
import type { Settings } from './options/settings.ts';
import type { Progress } from './progress.ts';
import { createRedact } from './secrets.ts';
import { withDeadline } from './time.ts';

type Event<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** The fields that one hook gets besides those that every call has. */
type Details<Name extends keyof Hooks> = Omit<Event<Name>, keyof CallEvent | 'url'>;

type Teller<Name extends keyof Hooks> = (progress: Progress, details: Details<Name>) => Promise<void>;

/** Tells each hook; a property is absent if nobody listens. */
export type Notify = { readonly [Name in Exclude<keyof Hooks, 'onRequest'>]?: Teller<Name> } & {
  /**
   * Lets hooks change a copy of `headers`, and returns it as they leave it: they may keep what they are shown, and must
   * never see the credential. A hook that hangs is not waited for longer than this many milliseconds.
   */
  readonly onRequest?: (
    progress: Progress,
    headers: HeaderRecord,
    signal: AbortSignal,
    milliseconds: number,
  ) => Promise<HeaderRecord>;
  /** All calls of the client wait for this many milliseconds. */
  readonly pause: (milliseconds: number) => void;
};

/** Connects calls with the hooks and the logger of a client, which has sent `usedKeys`. */
export function createNotify(
  { hooks, logger, logLevel }: Settings,
  usedKeys: () => ReadonlySet<string>,
): Notify {
  const log = createLog(logger, logLevel, usedKeys);
  const sets = [...hooks, logHooks(log, logLevel)];
  const warn: Warn = (name, what) => log('warn', `the hook ${name} ${what}; the call continues`);
  const tellers: Partial<Record<keyof Hooks, Teller<keyof Hooks>>> = {};
  for (const name of Object.keys(hookTable) as (keyof Hooks)[]) {
    const listening = sets.filter((set) => set[name]);
    if (listening.length > 0) tellers[name] = teller(name, listening, warn);
  }
  const { onRequest, ...others } = tellers;
  return {
    ...(others as Notify),
    ...(onRequest && { onRequest: letHooksChange(onRequest as Teller<'onRequest'>, warn) }),
    pause(milliseconds) {
      const wait = Math.round(milliseconds);
      log('info', `The service refuses requests (429): all calls of this client wait for ${wait} ms.`);
    },
  };
}

type Warn = (name: string, what: string) => void;

/** Calls the hook of every set immediately, without waiting in between; resolves when all are done, and never rejects. */
function teller(name: keyof Hooks, sets: readonly Hooks[], warn: Warn): Teller<keyof Hooks> {
  return async ({ callId, plan }, details) => {
    const { id, method, path } = plan.operation;
    const url = 'attempt' in details ? { url: plan.url } : {};
    const event = { callId, operation: id, method, route: path, ...url, ...details };
    const tell = async (set: Hooks) => {
      try {
        await set[name]?.(event as never);
      } catch {
        warn(name, 'failed');
      }
    };
    await Promise.all(sets.map(tell));
  };
}

function letHooksChange(tell: Teller<'onRequest'>, warn: Warn): NonNullable<Notify['onRequest']> {
  return async (progress, headers, signal, milliseconds) => {
    const shown = new Headers(headers);
    const { attempts: attempt, operation, queuedMs } = progress;
    const details = { attempt, auth: operation.auth, headers: shown, queuedMs };
    await withDeadline(signal, milliseconds, () => tell(progress, details)).catch(
      () => signal.aborted || warn('onRequest', 'takes too long'),
    );
    return Object.fromEntries(shown);
  };
}

type Log = (level: Exclude<LogLevel, 'off'>, message: string) => Promise<void>;

/** Writes lines of at least this level, without a key, wherever in them one may stand. */
function createLog(logger: Logger, threshold: LogLevel, usedKeys: () => ReadonlySet<string>): Log {
  return async (level, message) => {
    if (!isOn(level, threshold)) return;
    try {
      const { text } = createRedact(usedKeys(), () => []);
      await logger[level](`exam-service-sdk: ${text(message)}`);
    } catch {
      // There is nowhere left to report to, and logging must not break a call.
    }
  };
}

function isOn(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** The hooks that write the log; only those whose lines would be written. */
function logHooks(log: Log, threshold: LogLevel): Hooks {
  const deprecated = new Set<string>();
  const debug: Hooks = {
    onRequest: (event) => log('debug', `${describe(event)} sent`),
    onResponse: (event) =>
      log('debug', `${describe(event)} answered ${event.status} in ${Math.round(event.durationMs)} ms`),
    // The error reaches the caller, who decides how serious it is; here it is only traced.
    onEnd: ({ error }) => isExamServiceError(error) && log('debug', error.message),
  };
  const info: Hooks = {
    // A pause of the whole client has a line of its own.
    onRetry: ({ error, delayMs }) =>
      error.code === 'rate_limit' || log('info', `${error.message} Retrying in ${delayMs} ms.`),
  };
  const warn: Hooks = {
    onSchemaDrift: ({ operation, issues }) =>
      log('warn', `${operation}: the answer has an unexpected shape: ${describeIssues(issues)}`),
    onDeprecation({ operation, sunset }) {
      const isKnown = deprecated.has(operation);
      deprecated.add(operation);
      const end = sunset ? `; it ends ${sunset}` : '';
      return isKnown || log('warn', `${operation}: the service has deprecated this operation${end}`);
    },
  };
  return {
    ...(isOn('debug', threshold) && debug),
    ...(isOn('info', threshold) && info),
    ...(isOn('warn', threshold) && warn),
  };
}

function describe({ operation, method, url, attempt }: RequestEvent): string {
  return `${operation}: ${method} ${new URL(url).pathname}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
}

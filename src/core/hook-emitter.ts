// Calls the hooks of a client with what happens during its calls, and writes the log. An unset hook costs nothing: its
// property is absent, and its event is not created.

import { type HookEvent, type Hooks, hookTable } from './hooks.ts';
import { createLog, type Log, lineWriters } from './log.ts';
import type { Settings } from './options/client-settings.ts';
import { isThenable } from './time.ts';

/** Emits events; a property is absent if no hook listens. */
export type Emitter = {
  /** Returns a promise if a hook does. It resolves when all hooks are done, and never rejects. */
  readonly [Name in keyof Hooks]?: (event: HookEvent<Name>) => Promise<unknown> | undefined;
} & {
  /** Writes a line to the client's log. */
  readonly log: Log;
};

/** `warned` holds the operations whose deprecation the log has reported. */
export function createEmitter({ hooks, logger, logLevel }: Settings, warned: Set<string>): Emitter {
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

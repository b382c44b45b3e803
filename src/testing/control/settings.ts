// Converts the emulator's settings to JSON and back.

import type * as z from 'zod/mini';
import type { Settings } from '../emulator/service/emulator-options.ts';
import { settings as schema } from './settings-input.ts';

type WireSettings = z.infer<typeof schema>;

/** Settings under their JSON names. `null` means no limit, since JSON has no infinity. */
export function toWire(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, Reflect.get(settings, camelCased(name))]),
  );
}

/** The reverse of `toWire`. */
export function fromWire(settings: WireSettings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [camelCased(name), value ?? Number.POSITIVE_INFINITY]),
  );
}

/** The name of a setting in code. */
export function camelCased(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

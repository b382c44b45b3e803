// The options of an emulator, and their defaults.

import { rejectUnknown } from '../../schema/unknown-name.ts';
import { createSystemClock, type EmulatorClock } from './clock.ts';
import {
  type EmulatorSettings,
  resolveSettings,
  type ServiceSettings,
  serviceSettings,
} from './service-settings.ts';

/** How deliveries are sent: `globalThis.fetch`, or a receiver called as a function. */
export type DeliveryFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of an emulator. All have defaults. */
export interface EmulatorOptions extends ServiceSettings {
  /** The only accepted key, for both credentials. @default 'test-key' */
  apiKey?: string | undefined;
  /** Source of time. @default the real time */
  clock?: EmulatorClock | undefined;
  /** Sends deliveries. @default globalThis.fetch */
  fetch?: DeliveryFetch | undefined;
}

/** Everything that an emulator is set to. */
export interface Settings extends EmulatorSettings {
  readonly apiKey: string;
  readonly clock: EmulatorClock;
  readonly fetch: DeliveryFetch;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {TypeError} when the key is empty, or there is no such option
 * @throws {RangeError} when a setting has none of its values
 */
export function resolveOptions(options: EmulatorOptions): Settings {
  const { apiKey = 'test-key', clock = createSystemClock() } = options;
  if (apiKey.trim() === '') throw new TypeError('The apiKey of an emulator is empty.');
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const own = { apiKey, clock, fetch };
  rejectUnknown('option', options, [...Object.keys(serviceSettings), ...Object.keys(own)]);
  return { ...resolveSettings(options), ...own };
}

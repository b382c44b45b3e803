// The settings of the service in JSON, under names in snake case.

import { type ServiceSettings, settingEntries } from '../emulator/service/service-settings.ts';
import { fields, optional } from '../schema/input-fields.ts';

/** `utc_offset` for `utcOffset`. */
export const jsonName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const settingsInput = fields(
  Object.fromEntries(settingEntries.map(([name, { schema }]) => [jsonName(name), optional(schema)])),
);

/** JSON itself writes infinity, no limit, as null. */
export function toJson(settings: object): Record<string, unknown> {
  return Object.fromEntries(settingEntries.map(([name]) => [jsonName(name), Reflect.get(settings, name)]));
}

export function fromJson(input: object): ServiceSettings {
  return Object.fromEntries(
    settingEntries.flatMap(([name]) =>
      Object.hasOwn(input, jsonName(name)) ? [[name, Reflect.get(input, jsonName(name))]] : [],
    ),
  );
}

// The settings of the service in JSON, under names in snake case.

import * as z from 'zod/mini';
import { type ServiceSettings, settingEntries } from '../emulator/service/service-settings.ts';
import { described, fields, optional } from '../schema/input-fields.ts';

/** `utc_offset` for `utcOffset`. */
export const jsonName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const settingsInput = fields(
  Object.fromEntries(
    settingEntries.map(([name, { schema, about }]) => [
      jsonName(name),
      described(optional(schema), `${about}.${z.safeParse(schema, null).success ? ' Null: no limit.' : ''}`),
    ]),
  ),
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

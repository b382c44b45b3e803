// The options of `exam-service-sdk emulator`, read and checked.

import { type Setting, settingEntries } from '../../testing/emulator/service/service-settings.ts';
import {
  choiceOption,
  countOption,
  flagOption,
  jsonOption,
  type Option,
  readOptions,
  repeatable,
  textOption,
  value,
} from '../command-options.ts';
import { UsageError } from '../errors.ts';

const DEFAULT_PORT = 4010;
const SECOND = 1000;

/** The option of each setting that the command line has. */
const settingOptions = settingEntries.flatMap(([name, setting]) => {
  if (setting.option === undefined) return [];
  const hyphenated = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [{ name, optionName: setting.option.name ?? hyphenated, option: optionOf(setting, setting.option) }];
});

function optionOf(
  { about, words, default: usual }: Setting,
  { placeholder, ...range }: NonNullable<Setting['option']>,
): Option<unknown> {
  if (Array.isArray(usual)) {
    const seconds = usual.map((delay) => delay / SECOND);
    return value(placeholder, `Seconds before each retry, or none (default ${seconds})`, readDelays);
  }
  if (words === undefined) {
    return countOption(placeholder, `${about} (default ${usual === Infinity ? 'none' : usual})`, range);
  }
  const [first, ...others] = words;
  return choiceOption(placeholder, `${about}: ${[`${first} (default)`, ...others].join(', ')}`, words);
}

export const options = {
  port: countOption('PORT', `Port to listen on, 0 for a free one (default ${DEFAULT_PORT})`, { max: 65_535 }),
  host: textOption('HOST', 'Address to listen on (default 127.0.0.1: this machine only)'),
  'allow-host': repeatable(
    value(
      'NAME',
      'A further host to serve, such as that of a container or of web pages; repeatable',
      readHost,
    ),
  ),
  'api-key': value('KEY', 'The accepted key (default test-key)', readKey),
  seed: repeatable(textOption('FILE', 'Initial data, a JSON file; repeatable')),
  demo: flagOption('Starts with sample data: exams, participants, results and a webhook'),
  ...Object.fromEntries(settingOptions.map(({ optionName, option }) => [optionName, option])),
  ...jsonOption.ongoing,
};

/** The emulator that the command line asks for. */
export type EmulatorRun = ReturnType<typeof readSettings>;

/** @throws {UsageError} when an option is invalid */
export function readSettings(args: readonly string[]) {
  const values = readOptions(args, options);
  const apiKey = values['api-key'] ?? 'test-key';
  const settings = settingOptions.map(({ name, optionName }) => [name, Reflect.get(values, optionName)]);
  return {
    port: values.port ?? DEFAULT_PORT,
    host: values.host ?? '127.0.0.1',
    allowHosts: values['allow-host'],
    apiKey,
    seeds: values.seed,
    demo: values.demo,
    json: values.json,
    options: { apiKey, ...Object.fromEntries(settings) },
  };
}

function readKey(text: string, name: string): string {
  if (/^[\w!#$%&()*+,./:;<=>?@[\]^{|}~-]+$/.test(text)) return text;
  throw new UsageError(`${name} needs a key without spaces and quotation marks.`);
}

/** A host is allowed on every port. */
function readHost(text: string, name: string): string {
  if (/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(text)) return text;
  throw new UsageError(`${name} needs the name of a host, like emulator, not ${text}.`);
}

/** `1,5.5` in milliseconds. */
function readDelays(text: string, name: string): number[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    if (/^\d+(\.\d+)?$/.test(part)) return Number(part) * SECOND;
    throw new UsageError(`${name} needs seconds like 1,5,30, or none, not ${text}.`);
  });
}

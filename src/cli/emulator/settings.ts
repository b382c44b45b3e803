// The options of `exam-service-sdk emulator`, read and checked.

import { choices, type EmulatorOptions } from '../../testing/emulator/service/emulator-options.ts';
import { suggest } from '../../util/suggest.ts';
import { UsageError } from '../errors.ts';
import { jsonSpecs, type OptionSpecs, type OptionValues, readOptions } from '../options.ts';

const DEFAULT_PORT = 4010;
const MAX_PORT = 65_535;

export const optionSpecs: OptionSpecs = {
  port: { value: 'PORT', help: `Port to listen on, 0 for a free one (default ${DEFAULT_PORT})` },
  host: { value: 'HOST', help: 'Address to listen on (default 127.0.0.1: this machine only)' },
  'allow-host': {
    value: 'NAME',
    multiple: true,
    help: 'A further host to answer, such as that of a container or of web pages; repeatable',
  },
  'api-key': { value: 'KEY', help: 'The accepted key (default test-key)' },
  seed: {
    value: 'FILE',
    multiple: true,
    help: 'Initial data: JSON, or a CSV file of participants; repeatable',
  },
  demo: { help: 'Starts with sample data: exams, participants, results and a webhook' },
  state: { value: 'FILE', help: 'Keeps the data in this file across restarts' },
  style: { value: 'STYLE', help: `Form of undocumented answers: ${choices.style.join(', ')}` },
  framework: {
    value: 'NAME',
    help: `Whose sentences refusals have: ${choices.framework.join(' (default), ')}`,
  },
  'import-answers': {
    value: 'WHAT',
    help: 'An import answers with counts (default) or records',
  },
  'unknown-records': {
    value: 'WHEN',
    help: 'Refuses unknown records after-key (default) or before-key',
  },
  'requests-per-minute': { value: 'N', help: 'Limit of requests (default none)' },
  decimals: { value: 'FORM', help: 'Scores in the list of results: string (default) or number' },
  'event-decimals': { value: 'FORM', help: 'Scores in events: number (default) or string' },
  ids: { value: 'FORM', help: 'Ids in undocumented answers: number (default) or string' },
  numbers: { value: 'FORM', help: 'Other numbers in undocumented answers: number (default) or string' },
  credentials: {
    value: 'WHICH',
    help: 'Accepts the key under its own credential (own, default) or under either',
  },
  'refused-key': {
    value: 'KEY=STATUS',
    multiple: true,
    help: 'A key to refuse with 401 or 403; repeatable',
  },
  'utc-offset': { value: 'MINUTES', help: 'UTC offset of timestamps (default 420, +07:00)' },
  'max-participants': { value: 'N', help: 'Maximum number of participants (default none)' },
  'max-per-exam': { value: 'N', help: 'Maximum number of participants per exam (default none)' },
  'disable-after': { value: 'N', help: 'Failures in a row that disable an endpoint (default 10)' },
  'retry-delays': { value: 'S,S,...', help: 'Seconds before each retry, or none (default 10,60,300,1800)' },
  ...jsonSpecs.ongoing,
};

/** The emulator that the command line asks for. */
export interface EmulatorSettings {
  readonly port: number;
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly apiKey: string;
  readonly seeds: readonly string[];
  readonly demo: boolean;
  readonly state: string | undefined;
  readonly json: boolean;
  readonly options: EmulatorOptions;
}

/** @throws {UsageError} when an option is invalid */
export function readSettings(args: readonly string[]): EmulatorSettings {
  const values = readOptions(args, optionSpecs);
  const text = (name: string) => values.get(name)?.at(-1);
  const apiKey = text('api-key') ?? 'test-key';
  if (!/^[\w!#$%&()*+,./:;<=>?@[\]^{|}~-]+$/.test(apiKey)) {
    throw new UsageError('--api-key needs a key without spaces and quotation marks.');
  }
  const delays = text('retry-delays');
  return {
    port: wholeNumber(values, 'port', { max: MAX_PORT }) ?? DEFAULT_PORT,
    host: text('host') ?? '127.0.0.1',
    allowHosts: allowedHosts(values.get('allow-host')),
    apiKey,
    seeds: values.get('seed') ?? [],
    demo: values.has('demo'),
    state: text('state'),
    json: values.has('json'),
    options: {
      apiKey,
      ...chosen(values),
      ...defined('requestsPerMinute', wholeNumber(values, 'requests-per-minute', { min: 1 })),
      ...defined('refusedKeys', refusedKeys(values.get('refused-key'))),
      ...defined('utcOffset', wholeNumber(values, 'utc-offset', { min: -14 * 60, max: 14 * 60 })),
      ...defined('maxParticipants', wholeNumber(values, 'max-participants')),
      ...defined('maxParticipantsPerExam', wholeNumber(values, 'max-per-exam')),
      ...defined('disableAfterFailures', wholeNumber(values, 'disable-after', { min: 1 })),
      ...defined('retryDelays', delays === undefined ? undefined : seconds(delays)),
    },
  };
}

function defined<Name extends keyof EmulatorOptions>(
  name: Name,
  value: EmulatorOptions[Name] | undefined,
): Pick<EmulatorOptions, Name> | undefined {
  return value === undefined ? undefined : ({ [name]: value } as Pick<EmulatorOptions, Name>);
}

function wholeNumber(
  values: OptionValues,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number | undefined {
  const text = values.get(name)?.at(-1);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^-?\d+$/.test(text) && number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new UsageError(`--${name} needs a whole number ${range}, not ${text}.`);
}

function chosen(values: OptionValues): Partial<EmulatorOptions> {
  return Object.fromEntries(
    Object.entries<readonly string[]>(choices).flatMap(([name, words]) => {
      const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const text = values.get(option)?.at(-1);
      if (text === undefined) return [];
      if (words.includes(text)) return [[name, text]];
      const meant = suggest(text, words);
      const hint = meant === null ? '' : ` Did you mean ${meant}?`;
      throw new UsageError(`--${option} is one of ${words.join(', ')}, not ${text}.${hint}`);
    }),
  );
}

/** A host is allowed on every port. */
function allowedHosts(names: readonly string[] = []): readonly string[] {
  for (const name of names) {
    if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(name)) {
      throw new UsageError(`--allow-host needs the name of a host, like emulator, not ${name}.`);
    }
  }
  return names;
}

function refusedKeys(texts: readonly string[] | undefined): EmulatorOptions['refusedKeys'] {
  if (texts === undefined) return undefined;
  const pairs = texts.map((text): [string, 401 | 403] => {
    const [, key, status] = /^(.+)=(401|403)$/.exec(text) ?? [];
    if (key === undefined)
      throw new UsageError(`--refused-key needs a key and 401 or 403, like old-key=403, not ${text}.`);
    return [key, status === '401' ? 401 : 403];
  });
  return Object.fromEntries(pairs);
}

/** `1,5.5` in milliseconds. */
function seconds(text: string): number[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    if (!/^\d+(\.\d+)?$/.test(part))
      throw new UsageError(`--retry-delays needs seconds like 1,5,30, or none, not ${text}.`);
    return Number(part) * 1000;
  });
}

// The options of `exam-service-sdk emulator`, read and checked.

import { choices, type EmulatorOptions } from '../../testing/emulator/service/emulator-options.ts';
import { UsageError } from '../errors.ts';
import {
  count,
  flag,
  jsonOption,
  MAX_PORT,
  oneOf,
  readOptions,
  repeatable,
  text,
  value,
} from '../options.ts';

const DEFAULT_PORT = 4010;

export const options = {
  port: count('PORT', `Port to listen on, 0 for a free one (default ${DEFAULT_PORT})`, { max: MAX_PORT }),
  host: text('HOST', 'Address to listen on (default 127.0.0.1: this machine only)'),
  'allow-host': repeatable(
    value(
      'NAME',
      'A further host to answer, such as that of a container or of web pages; repeatable',
      readHost,
    ),
  ),
  'api-key': value('KEY', 'The accepted key (default test-key)', readKey),
  seed: repeatable(text('FILE', 'Initial data: JSON, or a CSV file of participants; repeatable')),
  demo: flag('Starts with sample data: exams, participants, results and a webhook'),
  state: text('FILE', 'Keeps the data in this file across restarts'),
  style: oneOf('STYLE', `Form of undocumented answers: ${choices.style.join(', ')}`, choices.style),
  framework: oneOf(
    'NAME',
    `Whose sentences refusals have: ${choices.framework.join(' (default), ')}`,
    choices.framework,
  ),
  'import-answers': oneOf(
    'WHAT',
    'An import answers with counts (default) or records',
    choices.importAnswers,
  ),
  'unknown-records': oneOf(
    'WHEN',
    'Refuses unknown records after-key (default) or before-key',
    choices.unknownRecords,
  ),
  'requests-per-minute': count('N', 'Limit of requests (default none)', { min: 1 }),
  decimals: oneOf('FORM', 'Scores in the list of results: string (default) or number', choices.decimals),
  'event-decimals': oneOf('FORM', 'Scores in events: number (default) or string', choices.eventDecimals),
  ids: oneOf('FORM', 'Ids in undocumented answers: number (default) or string', choices.ids),
  numbers: oneOf(
    'FORM',
    'Other numbers in undocumented answers: number (default) or string',
    choices.numbers,
  ),
  credentials: oneOf(
    'WHICH',
    'Accepts the key under its own credential (own, default) or under either',
    choices.credentials,
  ),
  'refused-key': repeatable(
    value('KEY=STATUS', 'A key to refuse with 401 or 403; repeatable', readRefusedKey),
  ),
  'utc-offset': count('MINUTES', 'UTC offset of timestamps (default 420, +07:00)', {
    min: -14 * 60,
    max: 14 * 60,
  }),
  'max-participants': count('N', 'Maximum number of participants (default none)'),
  'max-per-exam': count('N', 'Maximum number of participants per exam (default none)'),
  'disable-after': count('N', 'Failures in a row that disable an endpoint (default 10)', { min: 1 }),
  'retry-delays': value('S,S,...', 'Seconds before each retry, or none (default 10,60,300,1800)', readDelays),
  ...jsonOption.ongoing,
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
  const values = readOptions(args, options);
  const apiKey = values['api-key'] ?? 'test-key';
  const refusedKeys = values['refused-key'];
  const given = {
    style: values.style,
    framework: values.framework,
    importAnswers: values['import-answers'],
    unknownRecords: values['unknown-records'],
    requestsPerMinute: values['requests-per-minute'],
    decimals: values.decimals,
    eventDecimals: values['event-decimals'],
    ids: values.ids,
    numbers: values.numbers,
    credentials: values.credentials,
    utcOffset: values['utc-offset'],
    maxParticipants: values['max-participants'],
    maxParticipantsPerExam: values['max-per-exam'],
    disableAfterFailures: values['disable-after'],
    retryDelays: values['retry-delays'],
    refusedKeys: refusedKeys.length === 0 ? undefined : Object.fromEntries(refusedKeys),
  };
  return {
    port: values.port ?? DEFAULT_PORT,
    host: values.host ?? '127.0.0.1',
    allowHosts: values['allow-host'],
    apiKey,
    seeds: values.seed,
    demo: values.demo,
    state: values.state,
    json: values.json,
    options: { apiKey, ...withoutUndefined(given) },
  };
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

function withoutUndefined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) as Defined<Given>;
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

function readRefusedKey(text: string, name: string): [key: string, status: 401 | 403] {
  const [, key, status] = /^(.+)=(401|403)$/.exec(text) ?? [];
  if (key === undefined) {
    throw new UsageError(`${name} needs a key and 401 or 403, like old-key=403, not ${text}.`);
  }
  return [key, status === '401' ? 401 : 403];
}

/** `1,5.5` in milliseconds. */
function readDelays(text: string, name: string): number[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    if (/^\d+(\.\d+)?$/.test(part)) return Number(part) * 1000;
    throw new UsageError(`${name} needs seconds like 1,5,30, or none, not ${text}.`);
  });
}

// The options and settings of an emulator, and their defaults.

import { rejectUnknown } from '../../schema/unknown-name.ts';
import { createSystemClock, type EmulatorClock } from './clock.ts';

/** The names of the styles. */
export const emulatorStyles = [
  'resource',
  'paginator',
  'simple',
  'envelope',
  'bare',
  'enveloped-paginator',
  'enveloped-resource',
  'named',
  'headers',
] as const;

/**
 * How the emulator writes the bodies that the service's API does not document: one of the ways in which such
 * services commonly answer.
 *
 * | style | record | list |
 * |---|---|---|
 * | `resource` | `{data: {...}}` | `{data, links, meta}` |
 * | `paginator` | bare | `{data, current_page, total, ...}` |
 * | `simple` | bare | as `paginator`, without totals |
 * | `envelope` | `{success, message, data}` | `{success, message, data, meta: {pagination}}` |
 * | `bare` | bare | a bare array |
 * | `enveloped-paginator` | `{success, message, data}` | `{success, message, data: {data, current_page, ...}}` |
 * | `enveloped-resource` | `{success, message, data}` | `{success, message, data: {data, links, meta}}` |
 * | `named` | `{exam: {...}}` | `{exams: [...], meta}` |
 * | `headers` | bare | a bare array, its pages in `X-Total-Count` and `Link` |
 *
 * The webhook operations answer with the documented envelope in every style.
 */
export type EmulatorStyle = (typeof emulatorStyles)[number];

/** A version of Laravel whose sentences the emulator knows. */
export type EmulatorFramework = 'laravel-11' | 'laravel-8';

/** All of them, the default first. */
export const emulatorFrameworks: readonly EmulatorFramework[] = ['laravel-11', 'laravel-8'];

/** How deliveries are sent: `globalThis.fetch`, or a receiver called as a function. */
export type DeliveryFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of an emulator. All have defaults. */
export interface EmulatorOptions extends ServiceSettings {
  /** The only accepted key, for both credentials. Default `test-key`. */
  apiKey?: string | undefined;
  /** Source of time. Default: the real time. */
  clock?: EmulatorClock | undefined;
  /** Sends deliveries. Default `globalThis.fetch`. */
  fetch?: DeliveryFetch | undefined;
  /** Seed of the random numbers that decide about faults with a `rate`. Default 1. */
  seed?: number | undefined;
}

/** How the emulated service behaves; you can change it while it runs. All settings have defaults. */
export interface ServiceSettings {
  /** Form of the undocumented bodies. Default `resource`. */
  style?: EmulatorStyle | undefined;
  /** Which version of Laravel the refusals are worded as. Default `laravel-11`. */
  framework?: EmulatorFramework | undefined;
  /**
   * What an import answers with: how many participants it created and updated, or their records with their ids;
   * undocumented by the service. Default `counts`.
   */
  importAnswers?: 'counts' | 'records' | undefined;
  /**
   * Whether a path with the id of an unknown record is refused after a wrong key (401), or before it (404), as a
   * service does whose route model binding comes first; undocumented by the service. Default `after-key`.
   */
  unknownRecords?: 'after-key' | 'before-key' | undefined;
  /**
   * Requests in a minute, after which the service answers 429 with `Retry-After` until the minute is over; every answer
   * then has `X-RateLimit-Limit`, `-Remaining` and `-Reset`. Default: no limit, since it is undocumented by the service.
   */
  requestsPerMinute?: number | undefined;
  /**
   * Whether a score in the list of results is a string (`"87.50"`) or a number. Default `string`.
   */
  decimals?: 'string' | 'number' | undefined;
  /**
   * Whether a score in an event is a number, as documented, or a string (`"87.50"`), as a model with a decimal cast
   * sends it. Default `number`.
   */
  eventDecimals?: 'string' | 'number' | undefined;
  /** UTC offset of timestamps that include one, in minutes. Default 420 (`+07:00`), so that nobody mistakes it for UTC. */
  utcOffset?: number | undefined;
  /**
   * How ids are written in undocumented bodies: as integers, or as strings (`"7"`), which the client rejects with an
   * explanatory `ResponseValidationError`. Default `number`.
   */
  ids?: 'number' | 'string' | undefined;
  /**
   * How other numbers are written in undocumented bodies, such as page counts and statuses: as numbers, or as strings
   * (`"23"`). Default `number`.
   */
  numbers?: 'number' | 'string' | undefined;
  /**
   * Whether an operation accepts the key only under its own credential, or under either of the two; undocumented by the
   * service. Default `own`.
   */
  credentials?: 'own' | 'either' | undefined;
  /**
   * Further keys, each with the status that refuses it: 401 for one that is not valid or not active, 403 for one that
   * is wrong, expired or without permission. Default: none; any other key is refused with 401.
   */
  refusedKeys?: Readonly<Record<string, 401 | 403>> | undefined;
  /** Maximum number of participants after an import. Default: no limit, since the number is undocumented by the service. */
  maxParticipants?: number | undefined;
  /**
   * Maximum number of participants assigned to one exam. Default: no limit, since the number is undocumented by the
   * service.
   */
  maxParticipantsPerExam?: number | undefined;
  /** State of participants created by an import; undocumented by the service. */
  importedParticipants?:
    | {
        /** Default `true`. */
        active?: boolean | undefined;
        /** Whether the email is verified. Default `true`. */
        verified?: boolean | undefined;
      }
    | undefined;
  /**
   * Number of failed attempts in a row after which an endpoint is disabled; undocumented by the service. Default 10;
   * `Infinity` for never.
   */
  disableAfterFailures?: number | undefined;
  /**
   * Waits before the second delivery attempt, the third, and so on, in milliseconds; after the last one the delivery
   * has failed. The schedule is undocumented by the service. Default 10 s, 1 min, 5 min, 30 min.
   */
  retryDelays?: readonly number[] | undefined;
  /** Time limit for a receiver, in milliseconds of real time; other deliveries to it wait that long. Default 10,000. */
  deliveryTimeout?: number | undefined;
}

/** The words that a setting can be; the first one is the default. */
export const choices = {
  style: emulatorStyles,
  framework: emulatorFrameworks,
  importAnswers: ['counts', 'records'],
  unknownRecords: ['after-key', 'before-key'],
  decimals: ['string', 'number'],
  eventDecimals: ['number', 'string'],
  ids: ['number', 'string'],
  numbers: ['number', 'string'],
  credentials: ['own', 'either'],
} as const satisfies { readonly [Name in keyof ServiceSettings]: readonly ServiceSettings[Name][] };

type Choices = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

/** Options with every default filled in. */
export type Filled<Options> = {
  readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined>;
};

export type Settings = Filled<Omit<EmulatorOptions, 'importedParticipants'>> & {
  readonly importedParticipants: Filled<NonNullable<EmulatorOptions['importedParticipants']>>;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MINUTES_PER_DAY = 24 * 60;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {TypeError} when the key is empty, or there is no such option
 * @throws {RangeError} when a number is invalid, or a setting is none of its words
 */
export function resolveOptions(options: EmulatorOptions): Settings {
  const { apiKey = 'test-key', retryDelays = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE] } = options;
  if (apiKey.trim() === '') throw new TypeError('The apiKey of an emulator is empty.');
  const { utcOffset = 420, importedParticipants: imported = {} } = options;
  if (!(Math.abs(utcOffset) < MINUTES_PER_DAY)) {
    throw new RangeError(`utcOffset is ${utcOffset}: it must be less than a day, in minutes.`);
  }
  const settings: Settings = {
    ...choose(options),
    apiKey,
    requestsPerMinute: atLeast(1, 'requestsPerMinute', options.requestsPerMinute ?? Infinity),
    refusedKeys: options.refusedKeys ?? {},
    utcOffset,
    clock: options.clock ?? createSystemClock(),
    maxParticipants: atLeast(0, 'maxParticipants', options.maxParticipants ?? Infinity),
    maxParticipantsPerExam: atLeast(0, 'maxParticipantsPerExam', options.maxParticipantsPerExam ?? Infinity),
    importedParticipants: { active: imported.active ?? true, verified: imported.verified ?? true },
    disableAfterFailures: atLeast(1, 'disableAfterFailures', options.disableAfterFailures ?? 10),
    retryDelays: retryDelays.map((delay) => atLeast(0, 'retryDelays', delay)),
    deliveryTimeout: atLeast(1, 'deliveryTimeout', options.deliveryTimeout ?? 10 * SECOND),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    seed: options.seed ?? 1,
  };
  rejectUnknown('option', options, Object.keys(settings));
  rejectUnknown('field', imported, Object.keys(settings.importedParticipants));
  for (const status of Object.values(settings.refusedKeys)) oneOf('refusedKeys', status, [401, 403]);
  return settings;
}

function choose(options: EmulatorOptions): Choices {
  const chosen = Object.entries<readonly unknown[]>(choices).map(([name, words]) => {
    const word = options[name as keyof Choices] ?? words[0];
    oneOf(name, word, words);
    return [name, word];
  });
  return Object.fromEntries(chosen) as Choices;
}

function oneOf(name: string, value: unknown, values: readonly unknown[]): void {
  if (!values.includes(value))
    throw new RangeError(`${name} is ${value}: it must be one of ${values.join(', ')}.`);
}

function atLeast(minimum: number, name: string, value: number): number {
  if (!(value >= minimum))
    throw new RangeError(`${name} is ${value}: it must be a number of at least ${minimum}.`);
  return value;
}

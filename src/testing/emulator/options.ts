import type { RequiredDeep } from 'type-fest';
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

/** How deliveries leave the emulator: `globalThis.fetch`, or a receiver called as a function. */
export type DeliveryFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Settings of an emulator. Everything has a default. */
export interface EmulatorOptions extends ServiceSettings {
  /** The one key that is accepted, in both credential forms. Default `test-key`. */
  apiKey?: string;
  /** Time. Default: the real one. */
  clock?: EmulatorClock;
  /** Sends deliveries. Default `globalThis.fetch`. */
  fetch?: DeliveryFetch;
  /** Start of the pseudo-random series that faults with a `rate` draw from. Default 1. */
  seed?: number;
}

/** What the emulated service is like, which can be changed while it runs. Everything has a default. */
export interface ServiceSettings {
  /** Form of the undocumented bodies. Default `resource`. */
  style?: EmulatorStyle;
  /**
   * Whether a score in the list of results is a string (`"87.50"`) or a number. Events carry a number. Default
   * `string`.
   */
  decimals?: 'string' | 'number';
  /**
   * UTC offset of the timestamps that show one, in minutes. Default 420 (`+07:00`), so that nobody takes it
   * for UTC.
   */
  utcOffset?: number;
  /**
   * How ids are written in the undocumented bodies: as integers, or as strings (`"7"`), which the client refuses with
   * a `ResponseValidationError` that says so. Default `number`.
   */
  ids?: 'number' | 'string';
  /**
   * How the other numbers are written in the undocumented bodies, such as counts of pages and statuses: as numbers,
   * or as strings (`"23"`). Default `number`.
   */
  numbers?: 'number' | 'string';
  /**
   * Whether an operation accepts the key under its own credential only, or under either of the two. The document does
   * not show it. Default `own`.
   */
  credentials?: 'own' | 'either';
  /**
   * Further keys, each with the status that it is refused with: 401 for one that is not valid or not active, 403 for
   * one that is wrong, expired or without permission. Default: none; any other key is refused with 401.
   */
  refusedKeys?: Readonly<Record<string, 401 | 403>>;
  /**
   * How many participants there may be after an import. Default: no limit, as its value is not documented.
   */
  maxParticipants?: number;
  /** How many participants may be assigned to one exam. Default: no limit, as its value is not documented. */
  maxParticipantsPerExam?: number;
  /** State of a participant that an import creates; undocumented. */
  importedParticipants?: {
    /** Default `true`. */
    active?: boolean;
    /** Whether the email is verified. Default `true`. */
    verified?: boolean;
  };
  /**
   * Failed attempts in a row after which an endpoint is disabled; undocumented. Default 10; `Infinity` for
   * never.
   */
  disableAfterFailures?: number;
  /**
   * Waits before the second attempt at a delivery, the third, and so on, in milliseconds; after the last one
   * the delivery has failed. The schedule is undocumented. Default 10 s, 1 min, 5 min, 30 min.
   */
  retryDelays?: readonly number[];
  /**
   * How long a receiver may take, in milliseconds of real time; other deliveries to it wait that long. Default
   * 10,000.
   */
  deliveryTimeout?: number;
}

/** Options with every default filled in. */
export type Settings = Readonly<RequiredDeep<EmulatorOptions>>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {TypeError} when the key is empty
 * @throws {RangeError} when a number is invalid, or there is no such style
 */
export function resolveOptions(options: EmulatorOptions): Settings {
  const {
    apiKey = 'test-key',
    style = 'resource',
    retryDelays = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
  } = options;
  if (apiKey.trim() === '') throw new TypeError('The apiKey of an emulator is empty.');
  if (!emulatorStyles.includes(style)) {
    throw new RangeError(`There is no style ${style}: it is one of ${emulatorStyles.join(', ')}.`);
  }
  return {
    apiKey,
    style,
    decimals: options.decimals ?? 'string',
    ids: options.ids ?? 'number',
    numbers: options.numbers ?? 'number',
    credentials: options.credentials ?? 'own',
    refusedKeys: options.refusedKeys ?? {},
    utcOffset: options.utcOffset ?? 420,
    clock: options.clock ?? createSystemClock(),
    maxParticipants: atLeast(0, 'maxParticipants', options.maxParticipants ?? Infinity),
    maxParticipantsPerExam: atLeast(0, 'maxParticipantsPerExam', options.maxParticipantsPerExam ?? Infinity),
    importedParticipants: { active: true, verified: true, ...options.importedParticipants },
    disableAfterFailures: atLeast(1, 'disableAfterFailures', options.disableAfterFailures ?? 10),
    retryDelays: retryDelays.map((delay) => atLeast(0, 'retryDelays', delay)),
    deliveryTimeout: atLeast(1, 'deliveryTimeout', options.deliveryTimeout ?? 10 * SECOND),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    seed: options.seed ?? 1,
  };
}

function atLeast(minimum: number, name: string, value: number): number {
  if (!(value >= minimum))
    throw new RangeError(`${name} is ${value}: it must be a number of at least ${minimum}.`);
  return value;
}

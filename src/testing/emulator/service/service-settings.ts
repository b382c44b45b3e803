// The settings of an emulator: their types, and the one table that everything about them is made from.

import * as z from 'zod/mini';
import { fields, flag, must } from '../../schema/input-fields.ts';

/**
 * How the emulator writes the bodies that the service's API does not document: one of the ways in which such
 * services commonly respond.
 *
 * | style | record | list |
 * |---|---|---|
 * | `resource` | `{data: {...}}` | `{data, links, meta}` |
 * | `paginator` | bare | `{data, current_page, total, ...}` |
 * | `envelope` | `{success, message, data}` | `{success, message, data, meta: {pagination}}` |
 * | `bare` | bare | a bare array |
 *
 * The webhook operations respond with the documented envelope in every style.
 */
export type EmulatorStyle = 'resource' | 'paginator' | 'envelope' | 'bare';

/** How the emulated service behaves; you can change it while it runs. All settings have defaults. */
export interface ServiceSettings {
  /** Form of the undocumented bodies. @default 'resource' */
  style?: EmulatorStyle | undefined;
  /**
   * What an import responds with: how many participants it created and updated, or their records with their ids;
   * undocumented by the service.
   *
   * @default 'counts'
   */
  importResponse?: 'counts' | 'records' | undefined;
  /** Whether a score in the list of results is a string (`"87.50"`) or a number. @default 'string' */
  scoreFormat?: 'string' | 'number' | undefined;
  /**
   * Requests in a minute, after which the service responds with 429 and `Retry-After` until the minute is over. Every
   * response then has `X-RateLimit-Limit`, `-Remaining` and `-Reset`. A limit is undocumented by the service.
   *
   * @default no limit
   */
  requestsPerMinute?: number | undefined;
  /** UTC offset of timestamps that include one, in minutes: `+07:00`, so that nobody mistakes it for UTC. @default 420 */
  utcOffset?: number | undefined;
  /** Maximum number of participants after an import; undocumented by the service. @default no limit */
  maxParticipants?: number | undefined;
  /** Maximum number of participants assigned to one exam; undocumented by the service. @default no limit */
  maxParticipantsPerExam?: number | undefined;
  /** State of participants created by an import; undocumented by the service. @default active, verified */
  importedParticipants?:
    | {
        /** @default true */
        active?: boolean | undefined;
        /** Whether the email is verified. @default true */
        verified?: boolean | undefined;
      }
    | undefined;
  /**
   * Number of failed attempts in a row after which an endpoint is disabled, `Infinity` for never; undocumented by the
   * service.
   *
   * @default 10
   */
  disableAfterFailures?: number | undefined;
  /**
   * Waits before the second delivery attempt, the third, and so on, in milliseconds; after the last one the delivery
   * has failed. The schedule is undocumented by the service.
   *
   * @default [10_000, 60_000, 300_000, 1_800_000]
   */
  retryDelays?: readonly number[] | undefined;
  /** Time limit for a receiver, in milliseconds of real time; other deliveries to it wait that long. @default 10_000 */
  deliveryTimeout?: number | undefined;
}

/** A setting in every place where it can be made: in code, in JSON, on the command line and on the console page. */
export interface Setting<Value = unknown> {
  /** What it is, without its values. */
  readonly about: string;
  readonly default: Value;
  /** Its values. JSON has no infinity, so that `null` means no limit there. */
  readonly schema: z.ZodMiniType<Value>;
  /** If it is one of some words: these, the default first. */
  readonly words?: readonly string[];
  /** None if the command line lacks it. */
  readonly option?: {
    /** Default: the name of the setting, with hyphens. */
    readonly name?: string;
    readonly placeholder: string;
    /** Of a whole number: the least and the greatest. */
    readonly min?: number;
    readonly max?: number;
  };
}

function oneOf<const Word extends string>(
  about: string,
  placeholder: string,
  words: readonly [Word, ...Word[]],
): Setting<Word> {
  const schema = z.enum(words, must(`one of ${words.join(', ')}`));
  return { about, default: words[0], schema, words, option: { placeholder } };
}

/** A count of at least `least`, or no limit. */
function limit(about: string, least: number, fallback = Infinity, name?: string): Setting<number> {
  const rule = must(`a whole number of ${least} or more`);
  return {
    about,
    default: fallback,
    schema: z.pipe(
      z.nullable(z.int(rule).check(z.gte(least, rule))),
      z.transform((count) => count ?? Infinity),
    ),
    option: { placeholder: 'N', min: least, ...(name !== undefined && { name }) },
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LARGEST_OFFSET = 24 * 60 - 1;
const offsetRule = must(`a whole number from -${LARGEST_OFFSET} to ${LARGEST_OFFSET}`);
const delayRule = must('a number of 0 or more');
const timeoutRule = must('a number of 1 or more');

/** Every setting. */
export const serviceSettings: {
  readonly [Name in keyof ServiceSettings]-?: Setting<EmulatorSettings[Name]>;
} = {
  style: oneOf('Form of undocumented responses', 'STYLE', ['resource', 'paginator', 'envelope', 'bare']),
  importResponse: oneOf('What an import responds with', 'WHAT', ['counts', 'records']),
  scoreFormat: oneOf('Scores in the list of results', 'FORM', ['string', 'number']),
  requestsPerMinute: limit('Requests in a minute, after which it responds with 429', 1),
  utcOffset: {
    about: 'UTC offset of timestamps, in minutes',
    default: 420,
    schema: z.int(offsetRule).check(z.gte(-LARGEST_OFFSET, offsetRule), z.lte(LARGEST_OFFSET, offsetRule)),
    // Clocks of the world differ from UTC by 14 hours at most.
    option: { placeholder: 'MINUTES', min: -14 * 60, max: 14 * 60 },
  },
  maxParticipants: limit('Maximum number of participants', 0),
  maxParticipantsPerExam: limit('Maximum number of participants per exam', 0, Infinity, 'max-per-exam'),
  importedParticipants: {
    about: 'State of participants that an import creates',
    default: { active: true, verified: true },
    schema: fields({ active: z._default(flag, true), verified: z._default(flag, true) }),
  },
  disableAfterFailures: limit('Failures in a row that disable an endpoint', 1, 10, 'disable-after'),
  retryDelays: {
    about: 'Waits before further delivery attempts, in milliseconds',
    default: [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
    schema: z.array(z.number(delayRule).check(z.gte(0, delayRule)), must('a list of numbers')),
    option: { placeholder: 'S,S,...' },
  },
  deliveryTimeout: {
    about: 'Time limit for a receiver, in milliseconds',
    default: 10 * SECOND,
    schema: z.number(timeoutRule).check(z.gte(1, timeoutRule)),
  },
};

/** The settings with every default filled in. */
export type EmulatorSettings = {
  readonly [Name in keyof ServiceSettings]-?: Exclude<ServiceSettings[Name], undefined>;
};

/** Name and setting. */
export const settingEntries = Object.entries<Setting>(serviceSettings);

/**
 * Checks the settings and fills in the defaults.
 *
 * @throws {TypeError} when a field of a setting is unknown
 * @throws {RangeError} when a setting has none of its values
 */
export function resolveSettings(given: ServiceSettings): EmulatorSettings {
  const settings = settingEntries.map(([name, setting]) => [
    name,
    checkedValue(name, setting, Reflect.get(given, name)),
  ]);
  return Object.fromEntries(settings);
}

function checkedValue(name: string, setting: Setting, given: unknown): unknown {
  const { schema, default: usual } = setting;
  // Parses the default as well, which copies it.
  const value = given === undefined ? usual : given;
  const result = z.safeParse(schema, value === Infinity ? null : value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') throw new TypeError(`${issue.message}.`);
  const place = [name, ...(issue?.path ?? [])].join('.');
  throw new RangeError(`\`${place}\` ${issue?.message}, not ${String(issue?.input)}.`);
}

// The options of `exam-service-sdk verify`, read and checked.

import { UsageError } from '../errors.ts';
import { jsonSpecs, type OptionSpecs, type OptionValues, readOptions } from '../options.ts';
import { readService, type ServiceSettings, serviceSpecs } from '../service.ts';
import type { Terminal } from '../terminal.ts';

export const optionSpecs: OptionSpecs = {
  ...serviceSpecs,
  write: { help: 'Also imports, updates, assigns and registers webhooks: for a project for tests' },
  participant: { value: 'ID', help: 'With --write: whom to assign, if the imported one cannot be' },
  exam: { value: 'ID', help: 'With --write: the exam to assign to (default: the first one of the list)' },
  receiver: { value: 'URL', help: 'With --write: an address that acknowledges deliveries' },
  listen: {
    value: 'PORT',
    help: 'With --write: takes the deliveries here and checks their signatures; --receiver says what leads here',
  },
  ...jsonSpecs.once,
};

/** What to verify, and what may be done for it. */
export interface VerifySettings {
  readonly service: ServiceSettings;
  readonly write: boolean;
  readonly participantId: number | null;
  readonly examId: number | null;
  readonly receiverUrl: string | null;
  readonly port: number | null;
  readonly json: boolean;
}

/** @throws {UsageError} when an option is invalid, or needs `--write` */
export function readSettings(
  args: readonly string[],
  terminal: Pick<Terminal, 'env' | 'stderr'>,
): VerifySettings {
  const values = readOptions(args, optionSpecs);
  const write = values.has('write');
  const needy = ['participant', 'exam', 'receiver', 'listen'].find((name) => values.has(name));
  if (!write && needy !== undefined) throw new UsageError(`--${needy} needs --write.`);
  return {
    service: readService(values, terminal),
    write,
    participantId: readNumber(values, 'participant', 1),
    examId: readNumber(values, 'exam', 1),
    receiverUrl: readAddress(values.get('receiver')?.at(-1)),
    port: readNumber(values, 'listen', 0),
    json: values.has('json'),
  };
}

function readNumber(values: OptionValues, name: string, minimum: number): number | null {
  const text = values.get(name)?.at(-1);
  if (text === undefined) return null;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number < minimum || (name === 'listen' && number > 65_535)) {
    throw new UsageError(`--${name} needs ${name === 'listen' ? 'a port' : 'an id'}, not ${text}.`);
  }
  return number;
}

function readAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError('--receiver needs an http or https URL.');
}

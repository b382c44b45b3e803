// The options of `exam-service-sdk inspect`, read and checked.

import { UsageError } from '../errors.ts';
import { jsonSpecs, type OptionSpecs, readOptions } from '../options.ts';
import { readService, type ServiceSettings, serviceSpecs } from '../service.ts';
import type { Terminal } from '../terminal.ts';
import { type SchemaLibrary, schemaLibraries } from './schema-file.ts';

const MOST_RECORDS = 100;
const DEFAULT_FILE = 'exam-service-schemas.ts';

export const optionSpecs: OptionSpecs = {
  ...serviceSpecs,
  records: {
    value: 'N',
    help: `Records of each kind to inspect, 1 to ${MOST_RECORDS} (default ${MOST_RECORDS})`,
  },
  out: {
    value: 'FILE',
    help: `File for the schemas (default ${DEFAULT_FILE}, none with --json); - for standard output`,
  },
  library: { value: 'NAME', help: `Library of the schemas: ${schemaLibraries.join(' or ')} (default zod)` },
  mini: { help: 'The same as --library zod/mini' },
  force: { help: 'Overwrites the file' },
  ...jsonSpecs.once,
};

/** What the command line asks to inspect, and where to write the schemas. */
export interface InspectSettings extends ServiceSettings {
  readonly records: number;
  /** `null` for none. */
  readonly file: string | null;
  readonly overwrite: boolean;
  readonly library: SchemaLibrary;
  readonly json: boolean;
}

/** Standard output in place of a file. */
export const STANDARD_OUTPUT = '-';

/** @throws {UsageError} when an option is invalid */
export function readSettings(
  args: readonly string[],
  terminal: Pick<Terminal, 'env' | 'stderr'>,
): InspectSettings {
  const values = readOptions(args, optionSpecs);
  const text = (name: string) => values.get(name)?.at(-1);
  const json = values.has('json');
  if (json && text('out') === STANDARD_OUTPUT) {
    throw new UsageError('--json and --out - both write to standard output: name a file.');
  }
  return {
    ...readService(values, terminal),
    records: readRecords(text('records')),
    file: text('out') ?? (json ? null : DEFAULT_FILE),
    overwrite: values.has('force'),
    library: readLibrary(text('library'), values.has('mini')),
    json,
  };
}

function readRecords(text: string | undefined): number {
  if (text === undefined) return MOST_RECORDS;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MOST_RECORDS) return number;
  throw new UsageError(`--records needs a whole number from 1 to ${MOST_RECORDS}, not ${text}.`);
}

function readLibrary(text: string | undefined, isMini: boolean): SchemaLibrary {
  const name = text ?? (isMini ? 'zod/mini' : 'zod');
  if (isMini && name !== 'zod/mini')
    throw new UsageError(`--mini and --library ${name} contradict each other.`);
  const library = schemaLibraries.find((known) => known === name);
  if (library !== undefined) return library;
  throw new UsageError(`--library is one of ${schemaLibraries.join(', ')}, not ${name}.`);
}

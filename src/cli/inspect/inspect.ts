// `exam-service-sdk inspect`: reports how a service responds and writes schemas for its undocumented fields.

import { access, constants, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { choiceOption, flagOption, jsonOption, readOptions, textOption } from '../command-options.ts';
import { CommandError, UsageError } from '../errors.ts';
import { helpOf } from '../help.ts';
import { readService, serviceOptions, withService } from '../service.ts';
import { Examination } from './examination.ts';
import { explainFailure, jsonReport, renderFindings } from './report.ts';
import { schemaFile, schemaLibraries } from './schema-file.ts';

const SCHEMA_FILE = 'exam-service-schemas.ts';
const TYPE_FILE = 'exam-service-types.d.ts';
/** Standard output in place of a file. */
const STANDARD_OUTPUT = '-';

const inspectOptions = {
  ...serviceOptions,
  out: textOption(
    'FILE',
    `File for the schemas (default ${SCHEMA_FILE}, or ${TYPE_FILE} for types; none with --json); - for standard output`,
  ),
  library: choiceOption(
    'NAME',
    'Library of the schemas: zod or zod/mini (default zod); none for TypeScript types, which nothing checks',
    schemaLibraries,
  ),
  force: flagOption('Overwrites the file'),
  ...jsonOption.once,
};

export const inspectCommand: Command = {
  summary: 'Inspects the responses of a service and writes schemas for its undocumented fields',
  help: helpOf({
    usage: 'inspect [options]',
    about:
      'Reads the lists of a service (GET only, so nothing changes). Reports where it accepts the key, what ' +
      'the client makes of the responses and where it ends each list. Writes schemas of the undocumented ' +
      "fields for the client's option `schemas`, or types: names and types, never a value.",
    options: inspectOptions,
    examples: ['EXAM_SERVICE_API_KEY=... exam-service-sdk inspect --base-url https://host/api/v1'],
  }),
  async run(args, terminal) {
    const values = readOptions(args, inspectOptions);
    const { json, force, library = 'zod' } = values;
    const { out = json ? null : library === 'none' ? TYPE_FILE : SCHEMA_FILE } = values;
    if (json && out === STANDARD_OUTPUT) {
      throw new UsageError('--json and --out - both write to standard output: name a file.');
    }
    const examination = new Examination(readService(values, terminal), terminal);
    if (out !== null && out !== STANDARD_OUTPUT) await checkTarget(out, force);
    const { responses, records } = await withService(() => examination.run(), terminal.stop, STOPPED);
    // If standard output is for a program or a file, people read the report on standard error.
    const people = json || out === STANDARD_OUTPUT ? terminal.stderr : terminal.stdout;
    if (json) terminal.stdout.write(jsonReport(responses));
    else people.write(renderFindings(responses));
    const reason = explainFailure(responses);
    if (reason !== null) throw new CommandError(out === null ? reason : `${reason} Nothing was written.`);
    if (out === null) return;
    if (records.length === 0) {
      throw new CommandError('There was no record to infer types from. Nothing was written.');
    }
    const text = schemaFile(records, library);
    if (out === STANDARD_OUTPUT) return void terminal.stdout.write(text);
    await save(text, out, force);
    const use =
      library === 'none'
        ? 'your program has these types if its tsconfig.json includes the file'
        : 'import its `schemas`, and pass them to `new ExamClient({ schemas })`';
    people.write(`Wrote ${out}: ${use}.\n`);
  },
};

const STOPPED = 'Stopped before everything was read; nothing was written.';

/**
 * Finds out before the first request whether the file can be written after the last one.
 *
 * @throws {CommandError} when it cannot be written
 */
async function checkTarget(file: string, overwrite: boolean): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw new CommandError(`${file} is a folder: name a file.`);
  if (found && !overwrite) throw existing(file);
  try {
    await access(found ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

async function save(text: string, file: string, overwrite: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw existing(file);
    // A file that was begun would stop the next run.
    if (!overwrite) await rm(file, { force: true });
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} cannot be written: ${messageOf(error)}`);
}

function existing(file: string): CommandError {
  return new CommandError(`${file} already exists; use --force to overwrite it.`);
}

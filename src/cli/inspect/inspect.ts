// `exam-service-sdk inspect`: reports how a service responds and writes schemas for its undocumented fields.

import { existsSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, messageOf } from '../../util/errors.ts';
import type { Issue } from '../../util/standard-schema.ts';
import type { Command } from '../command.ts';
import { choiceOption, flagOption, jsonOption, readOptions, textOption } from '../command-options.ts';
import { CommandError, UsageError } from '../errors.ts';
import { helpOf } from '../help.ts';
import { serviceOptions, withClient } from '../service.ts';
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
    if (out !== null && out !== STANDARD_OUTPUT) await checkTarget(out, force);
    const drift: Issue[] = [];
    const { responses, records } = await withClient(
      values,
      terminal,
      'Stopped before everything was read; nothing was written.',
      (client) => new Examination(client, drift, terminal.stop).run(),
      { validation: 'report', onSchemaDrift: ({ issues }) => drift.push(...issues) },
    );
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

/** @throws {CommandError} before the first request, when the file could not be written after the last one */
async function checkTarget(file: string, overwrite: boolean): Promise<void> {
  if (!overwrite && existsSync(file)) throw existing(file);
  await access(dirname(file), constants.W_OK).catch((error) => {
    throw unwritable(file, error);
  });
}

async function save(text: string, file: string, overwrite: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? existing(file) : unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} cannot be written: ${messageOf(error)}`);
}

function existing(file: string): CommandError {
  return new CommandError(`${file} already exists; use --force to overwrite it.`);
}

// `exam-service-sdk inspect`: reports how a service answers and writes schemas for its undocumented fields.

import { access, constants, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { helpOf } from '../options.ts';
import { explainRefusals } from '../reply.ts';
import { connect, withService } from '../service.ts';
import { probe } from './probe.ts';
import { jsonReport, report } from './report.ts';
import { schemaFile } from './schema-file.ts';
import { type InspectSettings, optionSpecs, readSettings, STANDARD_OUTPUT } from './settings.ts';

export const inspectCommand: Command = {
  summary: 'Inspects the answers of a service and writes schemas for its undocumented fields',
  help: helpOf({
    usage: 'inspect [options]',
    about:
      'Reads the lists of a service (GET only, so nothing changes) and reports which credential works ' +
      'where, the form of the answers and how pages are counted. Writes schemas of the undocumented ' +
      "fields for the client's option `schemas`: names and types, never a value.",
    options: optionSpecs,
    examples: ['EXAM_SERVICE_API_KEY=... exam-service-sdk inspect --base-url https://host/api/v1'],
  }),
  async run(args, terminal) {
    const settings = readSettings(args, terminal);
    const { file, json } = settings;
    const client = connect(settings, terminal);
    await checkTarget(settings);
    const { stop } = terminal;
    const findings = await withService(() => probe(client, settings.records, stop), stop, STOPPED);
    // What goes to standard output is meant for a program or a file; what is meant for people then goes beside it.
    const people = json || file === STANDARD_OUTPUT ? terminal.stderr : terminal.stdout;
    if (json) terminal.stdout.write(jsonReport(findings));
    else people.write(report(findings));
    const reason = explainRefusals(findings.lists.flatMap(({ replies }) => Object.values(replies)));
    if (reason !== null) throw new CommandError(file === null ? reason : `${reason} Nothing was written.`);
    if (file === null) return;
    if (findings.shapes.length === 0) {
      throw new CommandError('There was no record to infer a schema from. Nothing was written.');
    }
    const text = schemaFile(findings.shapes, settings.library);
    if (file === STANDARD_OUTPUT) return void terminal.stdout.write(text);
    await save(text, file, settings.overwrite);
    people.write(
      `Wrote ${file}: import its \`schemas\`, and pass them to \`new ExamClient({ schemas })\`.\n`,
    );
  },
};

const STOPPED = 'Stopped before everything was read; nothing was written.';

/**
 * Finds out before the first request what would be in the way of the file after the last one.
 *
 * @throws {CommandError} when it cannot be written
 */
async function checkTarget({ file, overwrite }: InspectSettings): Promise<void> {
  if (file === null || file === STANDARD_OUTPUT) return;
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
    // What was begun would be in the way of the next run.
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

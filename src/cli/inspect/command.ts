// `exam-service-sdk inspect`: reports how a service answers and writes schemas for its undocumented fields.

import { writeFile } from 'node:fs/promises';
import { hasCode, messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { optionsHelp } from '../options.ts';
import { explainRefusals } from '../refusals.ts';
import { connect, withService } from '../service.ts';
import type { Terminal } from '../terminal.ts';
import { type Findings, probe } from './probe.ts';
import { jsonReport, report } from './report.ts';
import { schemaFile } from './schema-file.ts';
import { type InspectSettings, optionSpecs, readSettings, STANDARD_OUTPUT } from './settings.ts';

export const inspectCommand: Command = {
  summary: 'Inspects the answers of a service and writes schemas for its undocumented fields',
  help: `Usage: exam-service-sdk inspect [options]

Reads the lists of a service (GET only, so nothing changes) and reports which credential works where, the form of the
answers and how pages are counted. Writes schemas of the undocumented fields for the client's option \`schemas\`: names
and types, never a value.

Options:
${optionsHelp(optionSpecs)}

Example:
  EXAM_SERVICE_API_KEY=... exam-service-sdk inspect --base-url https://host/api/v1
`,
  async run(args, terminal) {
    const settings = readSettings(args, terminal);
    const findings = await inspect(settings, terminal);
    // What goes to standard output is meant for a program or a file; what is meant for people then goes beside it.
    const people = settings.json || settings.file === STANDARD_OUTPUT ? terminal.stderr : terminal.stdout;
    if (settings.json) terminal.stdout.write(jsonReport(findings));
    else people.write(report(findings));
    const text = schemasOf(findings, settings);
    if (settings.file === STANDARD_OUTPUT) return void terminal.stdout.write(text);
    await save(text, settings);
    people.write(
      `Wrote ${settings.file}: import its \`schemas\`, and pass them to \`new ExamClient({ schemas })\`.\n`,
    );
  },
};

function inspect(settings: InspectSettings, terminal: Terminal): Promise<Findings> {
  return withService(
    async () => probe(connect(settings, terminal), settings.records, terminal.stop),
    terminal.stop,
    'Stopped before everything was read; nothing was written.',
  );
}

function schemasOf({ lists, shapes }: Findings, { library }: InspectSettings): string {
  if (shapes.length > 0) return schemaFile(shapes, library);
  const reason = explainRefusals(lists.flatMap(({ outcomes }) => Object.values(outcomes)));
  throw new CommandError(`${reason ?? 'There was no record to infer a schema from.'} Nothing was written.`);
}

async function save(text: string, { file, overwrite }: InspectSettings): Promise<void> {
  try {
    await writeFile(file, text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    throw new CommandError(
      hasCode(error, 'EEXIST') ? `${file} already exists; use --force to overwrite it.` : messageOf(error),
    );
  }
}

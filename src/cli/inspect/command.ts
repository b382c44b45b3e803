import { writeFile } from 'node:fs/promises';
import { hasCode, messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { optionsHelp } from '../options.ts';
import { connect, withService } from '../service.ts';
import type { Terminal } from '../terminal.ts';
import { type Findings, probe } from './probe.ts';
import { report } from './report.ts';
import { schemaFile } from './schema-file.ts';
import { type InspectSettings, optionSpecs, readSettings } from './settings.ts';

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
    terminal.stdout.write(report(findings));
    await save(findings, settings, terminal);
  },
};

function inspect(settings: InspectSettings, terminal: Terminal): Promise<Findings> {
  return withService(
    async () => probe(connect(settings, terminal), settings.records, terminal.stop),
    terminal.stop,
    'Stopped before everything was read; nothing was written.',
  );
}

async function save({ shapes }: Findings, settings: InspectSettings, terminal: Terminal): Promise<void> {
  const { file, overwrite, library } = settings;
  if (shapes.length === 0)
    throw new CommandError('There was no record to infer a schema from; nothing was written.');
  try {
    await writeFile(file, schemaFile(shapes, library), { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    throw new CommandError(
      hasCode(error, 'EEXIST') ? `${file} already exists; use --force to overwrite it.` : messageOf(error),
    );
  }
  terminal.stdout.write(
    `Wrote ${file}: import its \`schemas\`, and pass them to \`new ExamClient({ schemas })\`.\n`,
  );
}

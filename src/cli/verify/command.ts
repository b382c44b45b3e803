// `exam-service-sdk verify`: checks a service against its documentation, claim by claim.

import { messageOf } from '../../util/errors.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { optionsHelp } from '../options.ts';
import { connect, withService } from '../service.ts';
import { painter, type Terminal } from '../terminal.ts';
import { checkAccess } from './checks/access.ts';
import { checkReads } from './checks/read.ts';
import { checkWrites } from './checks/write.ts';
import { claims } from './claims/claims.ts';
import { listenForDeliveries } from './receiver.ts';
import { report, rowsOf } from './report.ts';
import { notNow, Run } from './run.ts';
import { optionSpecs, readSettings, type VerifySettings } from './settings.ts';

export const verifyCommand: Command = {
  summary: 'Checks a service against its documentation, claim by claim',
  help: `Usage: exam-service-sdk verify [options]

Says of each claim of the service's documentation whether the service confirms or contradicts it, and what could not be
decided. Sends GET requests only, unless --write is given. Exits with 1 if a claim is contradicted. Shows statuses, counts
and names of documented fields; never a value of a record, the key or a secret.

Options:
${optionsHelp(optionSpecs)}

Example:
  EXAM_SERVICE_API_KEY=... exam-service-sdk verify --base-url https://host/api/v1
`,
  async run(args, terminal) {
    const settings = readSettings(args, terminal);
    const stopped = settings.write
      ? 'Stopped before everything was checked; an assignment of this run may be left.'
      : 'Stopped before everything was checked.';
    const run = await withService(() => verify(settings, terminal), terminal.stop, stopped);
    const rows = rowsOf(run, meansOf(settings));
    const text = settings.json
      ? `${JSON.stringify({ claims: rows, notes: run.notes }, null, 2)}\n`
      : report(rows, run.notes, painter(terminal));
    terminal.stdout.write(text);
    if (!settings.json && !settings.write) {
      const more = Object.values(claims).filter(({ by }) => by === 'write' || by === 'delivery').length;
      terminal.stdout.write(
        `${more} claims need a run that may change things: --write, with a project for tests.\n`,
      );
    }
    const wrong = rows.filter(({ verdict }) => verdict === 'contradicted').length;
    if (wrong > 0) throw new CommandError(`The service contradicts ${wrong} of ${rows.length} claims.`);
  },
};

/** How the claims of such a run are decided. */
function meansOf({ write, receiverUrl, port }: VerifySettings): ReadonlySet<string> {
  const receives = receiverUrl !== null || port !== null;
  return new Set(['read', ...(write ? ['write'] : []), ...(receives ? ['delivery'] : [])]);
}

async function verify(settings: VerifySettings, terminal: Terminal): Promise<Run> {
  const { service, participantId, examId } = settings;
  const run = new Run(connect(service, terminal), terminal.stop);
  await checkAccess(run);
  if (settings.write) {
    await using receiver = settings.port === null ? null : await listenForDeliveries(settings.port);
    await checkWrites(run, {
      participantId,
      examId,
      receiver,
      receiverUrl: settings.receiverUrl ?? receiver?.url ?? null,
      sendRaw: (path, text) => sendRaw(service, path, text, terminal.stop),
    });
  }
  // Afterwards, when there is more to be seen.
  await checkReads(run);
  return run;
}

async function sendRaw(
  { baseUrl, apiKey }: VerifySettings['service'],
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const headers = {
    'X-Client-Key': apiKey,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  };
  const url = baseUrl.replace(/\/+$/, '') + path;
  const { status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(
    (error: unknown) => {
      throw new CommandError(`POST ${path} was not answered: ${messageOf(error)}`);
    },
  );
  if (notNow.includes(status)) throw new CommandError(`POST ${path} was answered with ${status}.`);
  return status;
}

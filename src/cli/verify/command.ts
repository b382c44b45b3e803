// `exam-service-sdk verify`: checks a service against its documentation, claim by claim.

import type { Command } from '../command.ts';
import { CommandError } from '../errors.ts';
import { helpOf } from '../options.ts';
import { explainRefusals, type Reply } from '../reply.ts';
import { connect, withService } from '../service.ts';
import { painter, type Terminal } from '../terminal.ts';
import { checkReads } from './checks/read.ts';
import { checkWrites } from './checks/write.ts';
import { listenForDeliveries } from './receiver.ts';
import { leftReport, report, rowsOf } from './report.ts';
import { decidable, Run } from './run.ts';
import { optionSpecs, readSettings, type VerifySettings } from './settings.ts';
import { UndoStack } from './undo.ts';

export const verifyCommand: Command = {
  summary: 'Checks a service against its documentation, claim by claim',
  help: helpOf({
    usage: 'verify [options]',
    about:
      "Says of each claim of the service's documentation whether the service confirms or contradicts " +
      'it, and what could not be decided. Sends GET requests only, unless --write is given. Exits with ' +
      '1 if a claim is contradicted. Shows statuses, counts and names of documented fields; never a ' +
      'value of a record, the key or a secret.',
    options: optionSpecs,
    examples: ['EXAM_SERVICE_API_KEY=... exam-service-sdk verify --base-url https://host/api/v1'],
  }),
  async run(args, terminal) {
    const settings = readSettings(args, terminal);
    const run = startRun(settings, terminal);
    const failure = await withService(() => verify(run, settings), terminal.stop, STOPPED).then(
      () => null,
      (error: unknown) => error,
    );
    // What could not be taken away at once may be by now.
    await run.made.unwind();
    const { left } = run.made;
    const rows = rowsOf(run, meansOf(settings), failure !== null);
    // Without a finding, the failure says it all.
    if (failure === null || rows.some(({ verdict }) => verdict !== 'not decided') || left.length > 0) {
      const text = settings.json
        ? `${JSON.stringify({ claims: rows, notes: run.notes, left }, null, 2)}\n`
        : report(rows, run.notes, painter(terminal.stdout, terminal.env));
      terminal.stdout.write(text);
    }
    if (!settings.json && !settings.write && failure === null) {
      const more = decidable(run, everyMeans).length - rows.length;
      terminal.stdout.write(
        `${more} more claims need a run that may change things: --write, and --listen, with a project for tests.\n`,
      );
    }
    if (left.length > 0) terminal.stderr.write(leftReport(left));
    if (failure !== null) throw failure;
    const wrong = rows.filter(({ verdict }) => verdict === 'contradicted').length;
    if (wrong > 0) throw new CommandError(`The service contradicts ${wrong} of ${rows.length} claims.`);
    if (left.length > 0) throw new CommandError('Not everything that this run made could be taken away.');
  },
};

const STOPPED = 'Stopped before everything was checked.';
const WRONG_KEY = 'exam-service-sdk-verify-no-such-key';

const everyMeans = new Set(['read', 'write', 'delivery']);

/** A rate limit may ask for a pause of a minute and more. */
const MOST_PATIENCE_MS = 120_000;

function startRun({ service }: VerifySettings, terminal: Terminal): Run {
  const withKey = connect(service, terminal, { maxRetryAfter: MOST_PATIENCE_MS });
  const clients = {
    withKey,
    withWrongKey: withKey.withOptions({ apiKey: WRONG_KEY }),
    sendingHalf: withKey.withOptions({ fetch: fetchHalf }),
  };
  // What the run made is taken away by a client of its own, which no pause or abort of the run holds back.
  const undoing = connect(service, terminal, { maxRetryAfter: MOST_PATIENCE_MS, maxRetries: 4 });
  const made = new UndoStack(undoing, service.baseUrl);
  return new Run(clients, made, terminal.stop);
}

/** Sends the beginning of a body, which is not JSON. */
function fetchHalf(url: string, init: RequestInit = {}): Promise<Response> {
  const text = String(init.body);
  return fetch(url, { ...init, body: text.slice(0, text.indexOf('[') + 1) });
}

/** How the claims of such a run are decided. */
function meansOf({ write, receiverUrl, port }: VerifySettings): ReadonlySet<string> {
  const receives = receiverUrl !== null || port !== null;
  return new Set(['read', ...(write ? ['write'] : []), ...(receives ? ['delivery'] : [])]);
}

async function verify(run: Run, settings: VerifySettings): Promise<void> {
  const { participantId, examId, receiverUrl } = settings;
  await checkAccess(run);
  if (settings.write) {
    await using receiver = settings.port === null ? null : await listenForDeliveries(settings.port);
    const url = receiverUrl ?? receiver?.url ?? null;
    await checkWrites(run, { participantId, examId, receiver, receiverUrl: url });
  }
  // Afterwards, when there is more to be seen.
  await checkReads(run);
}

/**
 * A wrong key or address would contradict everything, and says nothing of the service.
 *
 * @throws {CommandError} when no list is answered
 */
async function checkAccess(run: Run): Promise<void> {
  const replies: Reply[] = [];
  for (const path of ['/participants', '/exams', '/exam-results', '/webhooks']) {
    replies.push(await run.get(path));
  }
  const reason = explainRefusals(replies);
  if (reason !== null) throw new CommandError(reason);
}

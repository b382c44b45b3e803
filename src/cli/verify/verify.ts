// `exam-service-sdk verify`: checks a service against its documentation, claim by claim.

import type { Command } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { helpOf } from '../help.ts';
import { address, count, flag, jsonOption, MAX_PORT, readOptions, type ValuesOf } from '../options.ts';
import { isRejectedWith } from '../reply.ts';
import { connect, readService, type Service, serviceOptions, withService } from '../service.ts';
import { painter, type Terminal } from '../terminal.ts';
import { checkAssignments, checkLinkRejections } from './assignments.ts';
import { claims, type Means } from './claims.ts';
import { Cleanup } from './cleanup.ts';
import { checkAccess, checkCredentials } from './credentials.ts';
import { checkTestDeliveries } from './deliveries.ts';
import { checkUpdates, checkWebhookReads, Endpoints } from './endpoints.ts';
import { checkExams } from './exams.ts';
import { checkParticipantReads, checkParticipantWrites } from './participants.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { leftReport, report, toRows } from './report.ts';
import { Run } from './run.ts';
import { rowOf, rowsOf } from './schemas.ts';

const options = {
  ...serviceOptions,
  write: flag('Also imports, updates, assigns and registers webhooks: for a test project'),
  participant: count('ID', 'With --write: whom to assign, if the imported one cannot be', { min: 1 }),
  exam: count('ID', 'With --write: the exam to assign to (default: the first one of the list)', { min: 1 }),
  receiver: address('URL', 'With --write: an address that acknowledges deliveries', { withUser: true }),
  listen: count(
    'PORT',
    'With --write: receives the deliveries here and checks their signatures; --receiver is the address that leads here',
    { max: MAX_PORT },
  ),
  ...jsonOption.once,
};

type Values = ValuesOf<typeof options>;

export const verifyCommand: Command = {
  summary: 'Checks a service against its documentation, claim by claim',
  help: helpOf({
    usage: 'verify [options]',
    about:
      'Checks each claim of the documentation: confirmed, contradicted or not decided. Sends GET requests ' +
      'only, unless --write is given. Exits with 1 if a claim is contradicted. Shows statuses, counts and ' +
      'names of documented fields; never a value of a record, the key or a secret.',
    options,
    examples: ['EXAM_SERVICE_API_KEY=... exam-service-sdk verify --base-url https://host/api/v1'],
  }),
  async run(args, terminal) {
    const values = readOptions(args, options);
    const needy = (['participant', 'exam', 'receiver', 'listen'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (!values.write && needy !== undefined) throw new UsageError(`--${needy} needs --write.`);
    const run = startRun(readService(values, terminal), terminal);
    const failure = await withService(() => verify(run, values), terminal.stop, STOPPED).then(
      () => null,
      (error: unknown) => error,
    );
    // A second try: the service may have recovered.
    await run.cleanup.run();
    const rows = toRows(run, meansOf(values), failure !== null);
    const { left } = run.cleanup;
    const { stdout, stderr, env } = terminal;
    // Without a finding, the failure says it all.
    if (failure === null || rows.some(({ verdict }) => verdict !== 'not decided') || left.length > 0) {
      const table = () => report(rows, run.notes, painter(stdout, env));
      stdout.write(
        values.json ? `${JSON.stringify({ claims: rows, notes: run.notes, left }, null, 2)}\n` : table(),
      );
    }
    if (!values.json && !values.write && failure === null) {
      const more = `${claims.length - rows.length} more claims need a run that may change data`;
      stdout.write(`${more}: --write and --listen, in a test project.\n`);
    }
    if (left.length > 0) stderr.write(leftReport(left));
    if (failure !== null) throw failure;
    const wrong = rows.filter(({ verdict }) => verdict === 'contradicted').length;
    if (wrong > 0) throw new CommandError(`The service contradicts ${wrong} of ${rows.length} claims.`);
    if (left.length > 0) throw new CommandError('The run could not remove everything that it made.');
  },
};

const STOPPED = 'Stopped before everything was checked.';
const WRONG_KEY = 'exam-service-sdk-verify-no-such-key';

/** A rate limit may ask for a pause of a minute and more. */
const MAX_PAUSE_MS = 120_000;

function startRun(service: Service, terminal: Terminal): Run {
  const withKey = connect(service, terminal, { maxRetryAfter: MAX_PAUSE_MS });
  const clients = {
    withKey,
    withWrongKey: withKey.withOptions({ apiKey: WRONG_KEY }),
    sendingHalf: withKey.withOptions({ fetch: fetchHalf }),
  };
  // A second client, which no pause or abort of the run holds back.
  const cleaner = connect(service, terminal, { maxRetryAfter: MAX_PAUSE_MS, maxRetries: 4 });
  return new Run(clients, new Cleanup(cleaner, service.baseUrl), terminal.stop);
}

/** Sends the beginning of a body, which is not JSON. */
function fetchHalf(url: string, init: RequestInit = {}): Promise<Response> {
  const text = String(init.body);
  return fetch(url, { ...init, body: text.slice(0, text.indexOf('[') + 1) });
}

/** What decides claims in such a run. */
function meansOf({ write, receiver, listen }: Values): Means[] {
  const isUsed = { read: true, write, delivery: receiver !== undefined || listen !== undefined };
  return (['read', 'write', 'delivery'] as const).filter((means) => isUsed[means]);
}

async function verify(run: Run, values: Values): Promise<void> {
  await checkAccess(run);
  if (values.write) {
    await using receiver = values.listen === undefined ? null : await startReceiver(values.listen);
    try {
      await checkParticipantsAndAssignments(run, values);
      await checkWebhookWrites(run, values.receiver ?? receiver?.url ?? null, receiver);
    } finally {
      await run.cleanup.run();
    }
  }
  // Afterwards, when there is more to be seen.
  await checkCredentials(run);
  await checkParticipantReads(run);
  await checkExams(run);
  await checkLinkRejections(run);
  await checkWebhookReads(run);
}

async function checkParticipantsAndAssignments(run: Run, { participant, exam }: Values): Promise<void> {
  const imported = await checkParticipantWrites(run);
  const participant_id = participant ?? imported;
  const exam_id = exam ?? run.decideIds('exam.id', await run.get('/exams'))[0];
  // That the service rejects an id that it does not know contradicts nothing.
  const named = { '--participant': ['/participants', participant], '--exam': ['/exams', exam] } as const;
  for (const [option, [path, id]] of Object.entries(named)) {
    if (id !== undefined && isRejectedWith(await run.get(`${path}/${id}`), 404))
      return void run.notes.push(`GET ${path}/${id} returned 404: give another ${option}.`);
  }
  if (participant_id === null)
    run.notes.push('The id of the imported participant was not found: give --participant.');
  else if (exam_id === undefined) run.notes.push('There is no exam to assign.');
  else await checkAssignments(run, { participant_id, exam_id }, participant === undefined);
}

/** Nobody responds there (RFC 6761), so that no event of the project can arrive at a stranger. */
const NOWHERE = 'https://receiver.invalid/exam-service-sdk-verify';

async function checkWebhookWrites(run: Run, url: string | null, receiver: Receiver | null): Promise<void> {
  const endpoints = new Endpoints(run, url ?? NOWHERE);
  const { reply, id } = await endpoints.create();
  if (!reply.ok || id === null) {
    const advice = 'there may be five already, or it wants another --receiver';
    run.notes.push(`POST /webhooks returned ${reply.words}: ${advice}.`);
    return await noteEarlier(run);
  }
  const secret = await checkUpdates(run, id, rowOf(reply));
  await checkTestDeliveries(run, id, secret, { isReachable: url !== null, receiver });
  await endpoints.checkCreation();
  await endpoints.checkFive();
}

/** A run that was killed removes nothing. */
async function noteEarlier(run: Run): Promise<void> {
  const list = await run.get('/webhooks');
  const earlier = list.ok ? rowsOf(list).filter(({ url }) => String(url).startsWith(NOWHERE)) : [];
  if (earlier.length === 0) return;
  run.notes.push(`An earlier run has left webhook endpoints: ${earlier.map(({ id }) => id).join(', ')}.`);
}

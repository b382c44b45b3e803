// Checks the claims about imports and updates with a participant of its own.

import { isObject, type JsonObject } from '../../../util/json.ts';
import { readListAnswer, readRecordAnswer } from '../../inspect/answer.ts';
import { isRejectedWith, type Reply } from '../../reply.ts';
import type { Run } from '../run.ts';
import { findImported } from './find-imported.ts';
import { UNKNOWN_ID } from './lists.ts';

/** The one participant that a run imports: a second run meets it again, as the service's API deletes none. */
const EMAIL = 'exam-service-sdk-verify@example.com';
const person = (name: string) => ({
  email: EMAIL,
  name,
  password: `Verify-${globalThis.crypto.randomUUID()}`,
});

const IMPORT = '/participants/import';

/** Import and update, with one participant of made-up data; gives its id where the service shows it. */
export async function checkPeople(run: Run): Promise<number | null> {
  const half = await run.sendHalf(IMPORT, { participants: [person('Verification')] });
  run.decideStatus('errors.json', `POST ${IMPORT} of half a body`, half, 400);
  await checkImportRefusals(run);
  const told: (number | null)[] = [];
  for (const name of ['Verification', 'Verification, imported again']) {
    const answer = await run.send('POST', IMPORT, { participants: [person(name)] });
    if (isRejectedWith(answer, 400)) {
      // Documented for a ceiling that the service does not show.
      run.notes.push(
        `POST ${IMPORT} answered 400: there may be as many participants already as the service allows.`,
      );
      return null;
    }
    if (!run.decideStatus('import.201', `POST ${IMPORT}`, answer, 201)) return null;
    told.push(idToldBy(answer));
  }
  const id = await checkEmail(run, told);
  if (id !== null) await checkUpdate(run, id);
  return id;
}

/** Whether there is one participant of the email, in the list or by what the imports told; gives the id. */
async function checkEmail(
  run: Run,
  [first = null, second = null]: (number | null)[],
): Promise<number | null> {
  const { records, seen } = await findImported(run, EMAIL);
  if (records.length === 0 && first !== null && second !== null) {
    run.decide(
      'participant.email',
      first === second,
      `imported twice, ${first === second ? 'one id' : 'two ids'}`,
    );
    return second;
  }
  run.decide('participant.email', records.length > 0 ? records.length === 1 : null, seen);
  const id = records[0]?.['id'];
  return typeof id === 'number' ? id : second;
}

/** The id in the answer to an import, which is not documented. */
function idToldBy(reply: Reply): number | null {
  const [only, ...others] = (reply.ok && readListAnswer(reply.body)?.items) || [];
  if (!isObject(only) || others.length > 0 || only['email'] !== EMAIL) return null;
  return Number.isSafeInteger(only['id']) ? Number(only['id']) : null;
}

async function checkImportRefusals(run: Run): Promise<void> {
  const whole = person('Verification');
  const bodies: [what: string, body: unknown][] = [
    ['no list', {}],
    ['an empty list', { participants: [] }],
    ...(['email', 'name', 'password'] as const).map((name): [string, unknown] => {
      const { [name]: _, ...rest } = whole;
      return [`no ${name}`, { participants: [rest] }];
    }),
  ];
  for (const [what, body] of bodies) {
    const answer = await run.send('POST', IMPORT, body);
    run.decideRefusal('import.required', `POST ${IMPORT}, ${what}`, answer);
    run.decideStatus('errors.422', `POST ${IMPORT}, ${what}`, answer, 422);
  }
}

async function checkUpdate(run: Run, id: number): Promise<void> {
  const path = `/participants/${id}`;
  const request = 'PUT /participants/{id}';
  const before = recordOf(await run.get(path));
  const name = `Verification ${globalThis.crypto.randomUUID()}`;
  const renamed = await run.send('PUT', path, { name });
  run.decideStatus('update.200', request, renamed, 200);
  const after = recordOf(await run.get(path));
  const secret = await run.send('PUT', path, { password: person('').password });
  run.decideStatus('participant.password', `${request} of a password`, secret, 200);
  const kept = recordOf(await run.get(path));
  const isShown = [before, after, kept].every((record) => 'name' in record && 'email' in record);
  const isPartial = after['name'] === name && after['email'] === before['email'];
  run.decide(
    'update.partial',
    isShown ? isPartial && kept['name'] === name : null,
    isShown ? `${request} of a name, and of a password` : 'the record shows no name and email',
  );
  const wrong = await run.send('PUT', path, { name: { first: 'Verification' } });
  run.decideStatus('errors.422', `${request} of a name that is no string`, wrong, 422);
  const unknown = await run.send('PUT', `/participants/${UNKNOWN_ID}`, { name: 'Verification' });
  run.decideStatus('errors.update', `${request} of an unknown id`, unknown, 404);
}

function recordOf(reply: Reply): JsonObject {
  const [record] = (reply.ok ? readRecordAnswer(reply.body)?.items : undefined) ?? [];
  return isObject(record) ? record : {};
}

// Checks the claims about participants: reads some, and with `--write` imports and updates one of its own.

import { lastPageOf } from '../../core/pages/next-page.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import { parseListResponse } from '../inspect/response.ts';
import { isRejectedWith, type Reply } from '../reply.ts';
import { type Run, recordOf, UNKNOWN_ID } from './run.ts';

const PATH = '/participants';
const IMPORT = '/participants/import';

/** A second run finds this participant again, since the API deletes none. */
const EMAIL = 'exam-service-sdk-verify@example.com';
const newPassword = () => `Verify-${globalThis.crypto.randomUUID()}`;
const person = (name = 'Verification') => ({ email: EMAIL, name, password: newPassword() });

export async function checkParticipantReads(run: Run): Promise<void> {
  const list = await run.get(PATH);
  run.decideStatus('participants.200', `GET ${PATH}`, list, 200);
  const [id] = run.decideIds('participant.id', list);
  if (id !== undefined) await run.decideRecord('retrieve.200', PATH, id);
  const unknown = await run.get(`${PATH}/${UNKNOWN_ID}`);
  run.decideStatus('errors.404', `GET ${PATH}/${UNKNOWN_ID}`, unknown, 404);
}

/** Imports and updates one participant; returns its id if the service shows it. */
export async function checkParticipantWrites(run: Run): Promise<number | null> {
  const half = await run.sendHalf(IMPORT, { participants: [person()] });
  run.decideStatus('errors.json', `POST ${IMPORT} of half a body`, half, 400);
  await checkImportRejections(run);
  const ids: (number | null)[] = [];
  for (const name of ['Verification', 'Verification, imported again']) {
    const reply = await run.send('POST', IMPORT, { participants: [person(name)] });
    if (isRejectedWith(reply, 400)) {
      // Documented for a ceiling that the service does not show.
      const reason = 'the service may have as many participants as it allows';
      run.notes.push(`POST ${IMPORT} returned 400: ${reason}.`);
      return null;
    }
    if (!run.decideStatus('import.201', `POST ${IMPORT}`, reply, 201)) return null;
    ids.push(importedId(reply));
  }
  const id = await checkEmail(run, ids);
  if (id !== null) await checkUpdate(run, id);
  return id;
}

async function checkImportRejections(run: Run): Promise<void> {
  const bodies: [what: string, body: unknown][] = [
    ['no list', {}],
    ['an empty list', { participants: [] }],
  ];
  for (const name of ['email', 'name', 'password'] as const) {
    const { [name]: _, ...rest } = person();
    bodies.push([`no ${name}`, { participants: [rest] }]);
  }
  for (const [what, body] of bodies) {
    const reply = await run.send('POST', IMPORT, body);
    run.decideRejection('import.required', `POST ${IMPORT}, ${what}`, reply);
    run.decideStatus('errors.422', `POST ${IMPORT}, ${what}`, reply, 422);
  }
}

/** The id in the response to an import, which is not documented. */
function importedId(reply: Reply): number | null {
  const [only, ...others] = (reply.ok && parseListResponse(reply.body)?.items) || [];
  if (!isObject(only) || others.length > 0 || only['email'] !== EMAIL) return null;
  return Number.isSafeInteger(only['id']) ? Number(only['id']) : null;
}

/** Whether the email has one participant, by the list or by the ids of both imports; returns the id. */
async function checkEmail(
  run: Run,
  [first = null, second = null]: (number | null)[],
): Promise<number | null> {
  const { records, seen } = await findImported(run);
  if (records.length === 0 && first !== null && second !== null) {
    const isOne = first === second;
    run.decide('participant.email', isOne, `imported twice, ${isOne ? 'one id' : 'two ids'}`);
    return second;
  }
  run.decide('participant.email', records.length > 0 ? records.length === 1 : null, seen);
  const id = records[0]?.['id'];
  return typeof id === 'number' ? id : second;
}

const PER_PAGE = 100;
/** Of a longer list both ends are read, since a participant who was just imported is at one of them. */
const MAX_PAGES = 100;

/** The records with the imported email, as far as the list shows emails, which is not documented. */
async function findImported(run: Run): Promise<{ records: readonly JsonObject[]; seen: string }> {
  const found = new Map<unknown, JsonObject>();
  const texts = new Set<string>();
  let count = 0;
  let last: number | null = null;
  let hasEmails = false;
  for (let turn = 0; turn < MAX_PAGES; turn += 1) {
    const page = pageOfTurn(turn, last);
    if (page === null) break;
    const reply = await run.get(PATH, { limit: PER_PAGE, page });
    if (!reply.ok) return { records: [], seen: `GET ${PATH}?page=${page}: ${reply.words}` };
    const list = parseListResponse(reply.body, reply.headers);
    const items = (list?.items ?? []).filter(isObject);
    const text = JSON.stringify(items);
    // Neither parameter is documented for this list: every page may be the whole list.
    if (texts.has(text) || (items.length === 0 && last === null)) break;
    texts.add(text);
    const info = list?.pagination?.info;
    if (info) last ??= lastPageOf(info, info.perPage);
    count += items.length;
    hasEmails ||= items.some((item) => 'email' in item);
    for (const item of items) if (item['email'] === EMAIL) found.set(item['id'], item);
  }
  const records = [...found.values()];
  if (records.length > 0) return { records, seen: `${records.length} with one email` };
  if (!hasEmails) return { records, seen: 'the list shows no email' };
  return { records, seen: `not among the ${count} participants that were read: give --participant` };
}

/** From both ends inwards if the last page is known, otherwise from the first one on; `null` after the last one. */
function pageOfTurn(turn: number, last: number | null): number | null {
  if (last === null) return turn + 1;
  if (turn >= last) return null;
  return turn % 2 === 0 ? turn / 2 + 1 : last - (turn - 1) / 2;
}

async function checkUpdate(run: Run, id: number): Promise<void> {
  const path = `${PATH}/${id}`;
  const request = `PUT ${PATH}/{id}`;
  const before = recordOf(await run.get(path));
  const name = `Verification ${globalThis.crypto.randomUUID()}`;
  run.decideStatus('update.200', request, await run.send('PUT', path, { name }), 200);
  const after = recordOf(await run.get(path));
  const secret = await run.send('PUT', path, { password: newPassword() });
  run.decideStatus('participant.password', `${request} of a password`, secret, 200);
  const kept = recordOf(await run.get(path));
  const isShown = [before, after, kept].every((record) => 'name' in record && 'email' in record);
  const isPartial = after['name'] === name && after['email'] === before['email'] && kept['name'] === name;
  run.decide(
    'update.partial',
    isShown ? isPartial : null,
    isShown ? `${request} of a name, and of a password` : 'the record shows no name and email',
  );
  const wrong = await run.send('PUT', path, { name: { first: 'Verification' } });
  run.decideStatus('errors.422', `${request} of a name that is not a string`, wrong, 422);
  const unknown = await run.send('PUT', `${PATH}/${UNKNOWN_ID}`, { name: 'Verification' });
  run.decideStatus('errors.update', `${request} of an unknown id`, unknown, 404);
}

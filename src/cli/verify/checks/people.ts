// Checks the claims about imports and updates with a participant of its own.

import { isObject, type JsonObject } from '../../../util/json.ts';
import { readRecordAnswer } from '../../inspect/answer.ts';
import type { Answer, Run } from '../run.ts';
import { itemsOf, UNKNOWN_ID } from './lists.ts';

/** The one participant that a run imports: a second run meets it again, as the service's API deletes none. */
const EMAIL = 'exam-service-sdk-verify@example.com';
const person = (name: string) => ({
  email: EMAIL,
  name,
  password: `Verify-${globalThis.crypto.randomUUID()}`,
});

const IMPORT = '/participants/import';
/** How much of the list is searched for that participant. */
const MOST_PAGES = 100;
const PER_PAGE = 100;

/** Import and update, with one participant of made-up data; gives its id where the service shows it. */
export async function checkPeople(
  run: Run,
  sendRaw: (path: string, text: string) => Promise<number>,
): Promise<number | null> {
  const status = await sendRaw(IMPORT, '{"participants": [');
  run.decideStatus('errors.json', `POST ${IMPORT} of half a body`, { status }, 400);
  await checkImportRefusals(run);
  for (const name of ['Verification', 'Verification, imported again']) {
    const answer = await run.send('POST', IMPORT, { participants: [person(name)] });
    if (!run.decideStatus('import.201', `POST ${IMPORT}`, answer, 201)) return null;
  }
  const found = await findImported(run);
  const isShown = found.length > 0;
  run.decide(
    'participant.email',
    isShown ? found.length === 1 : null,
    isShown ? `${found.length} with one email` : 'the list shows no email',
  );
  const id = found[0]?.['id'];
  if (typeof id !== 'number') return null;
  await checkUpdate(run, id);
  return id;
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

/** The records of the imported email, as far as the list shows emails, which is not documented. */
async function findImported(run: Run): Promise<JsonObject[]> {
  const found = new Map<string, JsonObject>();
  let before = '';
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const items = itemsOf(await run.get('/participants', { limit: PER_PAGE, page }));
    const text = JSON.stringify(items);
    // Neither parameter is documented for this list: it may be whole on every page.
    if (items.length === 0 || text === before) break;
    before = text;
    for (const item of items) if (item['email'] === EMAIL) found.set(String(item['id']), item);
  }
  return [...found.values()];
}

async function checkUpdate(run: Run, id: number): Promise<void> {
  const path = `/participants/${id}`;
  const request = 'PUT /participants/{id}';
  const before = recordOf(await run.get(path));
  const name = `Verification ${globalThis.crypto.randomUUID()}`;
  const renamed = await run.send('PUT', path, { name });
  run.decideStatus('update.200', request, renamed, 200);
  const after = recordOf(await run.get(path));
  const isShown = 'name' in after && 'email' in after;
  const isPartial = after['name'] === name && after['email'] === before['email'];
  run.decide(
    'update.partial',
    isShown ? isPartial : null,
    isShown ? `${request} of a name` : 'the record shows no name and email',
  );
  const secret = await run.send('PUT', path, { password: person('').password });
  run.decideStatus('participant.password', `${request} of a password`, secret, 200);
  const kept = recordOf(await run.get(path));
  run.decide('update.partial', isShown ? kept['name'] === after['name'] : null, `${request} of a password`);
  const wrong = await run.send('PUT', path, { name: { first: 'Verification' } });
  run.decideStatus('errors.422', `${request} of a name that is no string`, wrong, 422);
  const unknown = await run.send('PUT', `/participants/${UNKNOWN_ID}`, { name: 'Verification' });
  run.decideStatus('errors.update', `${request} of an unknown id`, unknown, 404);
}

function recordOf({ body }: Answer): JsonObject {
  const [record] = (body === undefined ? null : readRecordAnswer(body))?.items ?? [];
  return isObject(record) ? record : {};
}

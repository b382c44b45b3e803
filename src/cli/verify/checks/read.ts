// Runs the checks that only read: credentials, participants, exams, results and webhooks.

import { isObject, type JsonObject } from '../../../util/json.ts';
import { readListAnswer, readRecordAnswer } from '../../inspect/answer.ts';
import { isRejectedWith } from '../../reply.ts';
import type { Run } from '../run.ts';
import { checkPages, decideIds, itemsOf, UNKNOWN_ID } from './lists.ts';
import { checkWebhookReads } from './webhook-reads.ts';

/** Everything that is decided without changing anything: GET only, and never a link to an exam. */
export async function checkReads(run: Run): Promise<void> {
  await checkCredentials(run);
  await checkParticipants(run);
  await checkExams(run);
  await checkPages(run, 'exams');
  await checkPages(run, 'examResults');
  await checkFilters(run);
  await checkLinkRefusals(run);
  await checkWebhookReads(run);
}

async function checkCredentials(run: Run): Promise<void> {
  for (const path of ['/participants', '/exams', '/exam-results', '/webhooks']) {
    const documented = path === '/webhooks' ? 'bearer' : 'clientKey';
    const other = path === '/webhooks' ? 'clientKey' : 'bearer';
    const answer = await run.get(path, {}, documented);
    const elsewhere = await run.get(path, {}, other);
    run.decide(
      path === '/webhooks' ? 'auth.bearer' : 'auth.client-key',
      // A key that neither credential carries through may lack the permission.
      answer.ok || (elsewhere.ok ? false : null),
      `GET ${path}: ${answer.words}`,
    );
    const form = answer.ok ? readListAnswer(answer.body, answer.headers) : null;
    if (form !== null) run.notes.push(`GET ${path} is answered in the form ${form.family}.`);
    run.notes.push(`GET ${path} with the other credential is answered with ${elsewhere.words}.`);
    const wrong = await run.getWithWrongKey(path, documented);
    run.decide('auth.refused', isRejectedWith(wrong, 401, 403), `GET ${path}: ${wrong.words}`);
    run.notes.push(`GET ${path} with a wrong key is answered with ${wrong.words}.`);
  }
}

async function checkParticipants(run: Run): Promise<void> {
  const list = await run.get('/participants');
  run.decideStatus('participants.200', 'GET /participants', list, 200);
  const [id] = list.ok ? decideIds(run, 'participant.id', itemsOf(list)) : [];
  if (id !== undefined) await checkRecord(run, 'retrieve.200', `/participants/${id}`, id);
  const unknown = await run.get(`/participants/${UNKNOWN_ID}`);
  run.decideStatus('errors.404', `GET /participants/${UNKNOWN_ID}`, unknown, 404);
}

async function checkExams(run: Run): Promise<void> {
  const list = await run.get('/exams');
  const [id] = list.ok ? decideIds(run, 'exam.id', itemsOf(list)) : [];
  if (id !== undefined) await checkRecord(run, 'exams.retrieve', `/exams/${id}`, id);
}

async function checkRecord(
  run: Run,
  claim: 'retrieve.200' | 'exams.retrieve',
  path: string,
  id: number,
): Promise<void> {
  const answer = await run.get(path);
  const request = `GET ${path.replace(/\d+$/, '{id}')}`;
  run.decideStatus(claim, request, answer, 200);
  run.decideContent(claim, request, answer, ({ body, words }) => {
    const [record] = readRecordAnswer(body)?.items ?? [];
    const isMeant = isObject(record) && record['id'] === id;
    return [isMeant, `${words}, ${isMeant ? 'its' : 'another or no'} id`];
  });
}

/** Where a result names a participant and an exam is not documented: as a field of its own, or in an object. */
function idIn(result: JsonObject, name: 'participant' | 'exam'): unknown {
  const inner = result[name];
  return result[`${name}_id`] ?? (isObject(inner) ? inner['id'] : undefined);
}

async function checkFilters(run: Run): Promise<void> {
  const list = await run.get('/exam-results', { limit: 100 });
  const [result] = list.ok ? itemsOf(list) : [];
  const participant_id = result && idIn(result, 'participant');
  const exam_id = result && idIn(result, 'exam');
  if (typeof participant_id !== 'number' || typeof exam_id !== 'number') return;
  const filters = [
    ['examResults.participant', { participant_id }, { participant_id: UNKNOWN_ID }],
    ['examResults.exam', { exam_id }, { exam_id: UNKNOWN_ID }],
    ['examResults.both', { participant_id, exam_id }, { participant_id, exam_id: UNKNOWN_ID }],
    ['examResults.both', { participant_id, exam_id }, { participant_id: UNKNOWN_ID, exam_id }],
  ] as const;
  for (const [claim, query, unknown] of filters) {
    const request = `GET /exam-results?${Object.keys(query).join('&')}`;
    const found = await run.get('/exam-results', query);
    run.decideStatus(claim, request, found, 200);
    run.decideContent(claim, request, found, (content) => {
      const items = itemsOf(content);
      const others = items.filter(
        (item) =>
          ('participant_id' in query && idIn(item, 'participant') !== participant_id) ||
          ('exam_id' in query && idIn(item, 'exam') !== exam_id),
      );
      return [items.length > 0 && others.length === 0, `${items.length} results, ${others.length} of others`];
    });
    const none = await run.get('/exam-results', unknown);
    // An id that is not known may be refused, too.
    if (!none.ok) run.decideRefusal(claim, `${request}, unknown`, none);
    else {
      const { length } = itemsOf(none);
      run.decide(claim, length === 0, `${request}: ${length} results of an unknown id`);
    }
  }
}

async function checkLinkRefusals(run: Run): Promise<void> {
  const path = '/exam-participants/link';
  const ids = { participant_id: UNKNOWN_ID, exam_id: UNKNOWN_ID };
  run.decideStatus('link.404', `GET ${path}, unknown ids`, await run.get(path, ids), 404);
  for (const name of ['participant_id', 'exam_id'] as const) {
    const { [name]: _, ...rest } = ids;
    run.decideRefusal('link.required', `GET ${path} without ${name}`, await run.get(path, rest));
  }
}

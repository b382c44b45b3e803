// Checks the claims about exams and results: records, pages and filters.

import { isObject, type JsonObject } from '../../util/json.ts';
import { parseListResponse } from '../inspect/response.ts';
import type { Content, Reply } from '../reply.ts';
import { itemsOf, type Run, UNKNOWN_ID } from './run.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

const paths = { exams: '/exams', examResults: '/exam-results' } as const;

type List = keyof typeof paths;

export async function checkExams(run: Run): Promise<void> {
  const [id] = run.decideIds('exam.id', await run.get(paths.exams));
  if (id !== undefined) await run.decideRecord('exams.retrieve', paths.exams, id);
  await checkPages(run, 'exams');
  await checkPages(run, 'examResults');
  await checkFilters(run);
}

interface Size {
  readonly count: number;
  /** The page size that the response states. */
  readonly perPage: number | null;
}

function sizeOf({ body, headers }: Content): Size {
  const list = parseListResponse(body, headers);
  return { count: list?.items.length ?? 0, perPage: list?.pagination?.info.perPage ?? null };
}

/** `limit` and `page` of a list: their bounds, their defaults, and whether they have an effect. */
async function checkPages(run: Run, name: List): Promise<void> {
  const path = paths[name];
  const whole = await run.get(path, { limit: MAX_LIMIT });
  if (!run.decideStatus(`${name}.200`, `GET ${path}?limit=100`, whole, 200) || !whole.ok) return;
  const items = itemsOf(whole);
  await checkLimit(run, name, items.length);
  const plain = await run.get(path);
  run.decideContent(`${name}.default`, `GET ${path}`, plain, (content) => {
    const { count, perPage } = sizeOf(content);
    const isFull = items.length > DEFAULT_LIMIT ? count === DEFAULT_LIMIT : null;
    const holds = perPage === null ? isFull : perPage === DEFAULT_LIMIT && count <= DEFAULT_LIMIT;
    return [holds, `${count} records${perPage === null ? '' : `, ${perPage} a page`}`];
  });
  await checkPage(run, name, items, plain);
}

async function checkLimit(run: Run, name: List, total: number): Promise<void> {
  for (const limit of [1, 0, MAX_LIMIT + 1]) {
    const reply = await run.get(paths[name], { limit });
    const request = `GET ${paths[name]}?limit=${limit}`;
    if (limit === 1) run.decideStatus(`${name}.limit`, request, reply, 200);
    else if (!reply.ok) {
      // Out of range, a service rejects the limit or takes the nearest that is allowed.
      run.decideRejection(`${name}.limit`, request, reply);
      continue;
    }
    run.decideContent(`${name}.limit`, request, reply, (content) => {
      const size = sizeOf(content);
      const holds = limit === 1 ? size.count === Math.min(1, total) : isWithinBounds(limit, size, total);
      return [holds, `${size.count} records`];
    });
  }
}

/** Whether the response to a limit that is out of range keeps within it. */
function isWithinBounds(limit: number, { count, perPage }: Size, total: number): boolean | null {
  if (perPage !== null) return perPage >= 1 && perPage <= MAX_LIMIT;
  if (limit === 0) return total === 0 ? null : count >= 1 && count <= MAX_LIMIT;
  return count > MAX_LIMIT ? false : null;
}

async function checkPage(run: Run, name: List, items: readonly JsonObject[], plain: Reply): Promise<void> {
  const path = paths[name];
  const texts = items.map((item) => JSON.stringify(item));
  const first = await run.get(path, { limit: 1, page: 1 });
  const second = await run.get(path, { limit: 1, page: 2 });
  const zeroth = await run.get(path, { limit: 1, page: 0 });
  // A list that changes meanwhile contradicts nothing.
  const again = await run.get(path, { limit: MAX_LIMIT });
  const isSteady = again.ok && JSON.stringify(itemsOf(again)) === JSON.stringify(items);
  const known = (holds: boolean, least: number) => (isSteady && texts.length >= least ? holds : null);
  const seen = isSteady ? '' : ', but the list changes';
  for (const [page, reply] of [first, second].entries()) {
    const request = `GET ${path}?limit=1&page=${page + 1}`;
    if (page < texts.length) run.decideStatus(`${name}.200`, request, reply, 200);
    run.decideContent(`${name}.200`, request, reply, (content) => {
      const follows = firstOf(content) === texts[page];
      if (isSteady && page >= texts.length) return [null, 'too few records'];
      return [known(follows, page + 1), `${follows ? '' : 'not '}record ${page + 1} of the list${seen}`];
    });
  }
  run.decideContent(`${name}.page`, `GET ${path}`, plain, (content) => {
    const starts = firstOf(content) === texts[0];
    return [known(starts, 1), `${starts ? 'begins' : 'does not begin'} like page 1${seen}`];
  });
  // Below the minimum, a service rejects the page or takes the minimum.
  if (!zeroth.ok) return run.decideRejection(`${name}.page`, `GET ${path}?page=0`, zeroth);
  const isMinimum = firstOf(zeroth) === (first.ok ? firstOf(first) : undefined);
  run.decide(`${name}.page`, known(isMinimum, 1), `GET ${path}?page=0: ${zeroth.words}${seen}`);
}

function firstOf(content: Content): string | undefined {
  return JSON.stringify(itemsOf(content)[0]);
}

/** Where a result names a participant and an exam is not documented: in a field, or in an object. */
function idIn(result: JsonObject | undefined, name: 'participant' | 'exam'): unknown {
  const inner = result?.[name];
  return result?.[`${name}_id`] ?? (isObject(inner) ? inner['id'] : undefined);
}

async function checkFilters(run: Run): Promise<void> {
  const path = paths.examResults;
  const list = await run.get(path, { limit: MAX_LIMIT });
  const [result] = list.ok ? itemsOf(list) : [];
  const participant_id = idIn(result, 'participant');
  const exam_id = idIn(result, 'exam');
  if (typeof participant_id !== 'number' || typeof exam_id !== 'number') return;
  const filters = [
    ['examResults.participant', { participant_id }, { participant_id: UNKNOWN_ID }],
    ['examResults.exam', { exam_id }, { exam_id: UNKNOWN_ID }],
    ['examResults.both', { participant_id, exam_id }, { participant_id, exam_id: UNKNOWN_ID }],
    ['examResults.both', { participant_id, exam_id }, { participant_id: UNKNOWN_ID, exam_id }],
  ] as const;
  for (const [claim, query, unknown] of filters) {
    const request = `GET ${path}?${Object.keys(query).join('&')}`;
    const found = await run.get(path, query);
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
    const none = await run.get(path, unknown);
    // An unknown id may be rejected, too.
    if (!none.ok) run.decideRejection(claim, `${request}, unknown`, none);
    else {
      const { length } = itemsOf(none);
      run.decide(claim, length === 0, `${request}: ${length} results of an unknown id`);
    }
  }
}

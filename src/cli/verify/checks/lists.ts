// Checks the claims about lists: page sizes, page numbers and filters.

import { isObject, type JsonObject } from '../../../util/json.ts';
import { readListAnswer } from '../../inspect/answer.ts';
import type { Content, Reply } from '../../reply.ts';
import type { Run } from '../run.ts';

const MOST = 100;
const DEFAULT = 10;
/** Fits every column for ids that a database has, and no record has got that far. */
export const UNKNOWN_ID = 2_147_483_647;

export type PagedList = 'exams' | 'examResults';

const paths = { exams: '/exams', examResults: '/exam-results' } as const;

/** Reads a list that may be in any form. */
export function itemsOf({ body, headers }: Content): readonly JsonObject[] {
  return (readListAnswer(body, headers)?.items ?? []).filter(isObject);
}

interface Size {
  readonly count: number;
  /** The page size that the answer tells of itself. */
  readonly told: number | null;
}

function sizeOf({ body, headers }: Content): Size {
  const list = readListAnswer(body, headers);
  return { count: list?.items.length ?? 0, told: list?.pagination?.info.perPage ?? null };
}

/** `limit` and `page` of a list: their bounds, their defaults, and whether they are heeded. */
export async function checkPages(run: Run, name: PagedList): Promise<void> {
  const path = paths[name];
  const whole = await run.get(path, { limit: MOST });
  if (!run.decideStatus(`${name}.200`, `GET ${path}?limit=100`, whole, 200) || !whole.ok) return;
  const items = itemsOf(whole);
  await checkLimit(run, name, items.length);
  const plain = await run.get(path);
  run.decideContent(`${name}.default`, `GET ${path}`, plain, (content) => {
    const { count, told } = sizeOf(content);
    const isFull = items.length > DEFAULT ? count === DEFAULT : null;
    const holds = told === null ? isFull : told === DEFAULT && count <= DEFAULT;
    return [holds, `${count} records${told === null ? '' : `, ${told} a page`}`];
  });
  await checkPage(run, name, items, plain);
}

async function checkLimit(run: Run, name: PagedList, total: number): Promise<void> {
  const path = paths[name];
  const one = await run.get(path, { limit: 1 });
  run.decideStatus(`${name}.limit`, `GET ${path}?limit=1`, one, 200);
  run.decideContent(`${name}.limit`, `GET ${path}?limit=1`, one, (content) => {
    const { count } = sizeOf(content);
    return [count === Math.min(1, total), `${count} records`];
  });
  for (const limit of [0, MOST + 1]) {
    const reply = await run.get(path, { limit });
    const request = `GET ${path}?limit=${limit}`;
    // Beyond the bounds a service refuses, or takes the nearest that is allowed.
    if (!reply.ok) run.decideRefusal(`${name}.limit`, request, reply);
    else {
      const size = sizeOf(reply);
      run.decide(`${name}.limit`, isWithinBounds(limit, size, total), `${request}: ${size.count} records`);
    }
  }
}

/** Whether the answer to a limit beyond the bounds keeps to them. */
function isWithinBounds(limit: number, { count, told }: Size, total: number): boolean | null {
  if (told !== null) return told >= 1 && told <= MOST;
  if (limit === 0) return total === 0 ? null : count >= 1 && count <= MOST;
  return count > MOST ? false : null;
}

async function checkPage(
  run: Run,
  name: PagedList,
  items: readonly JsonObject[],
  plain: Reply,
): Promise<void> {
  const path = paths[name];
  const texts = items.map((item) => JSON.stringify(item));
  const [first, second, zeroth] = [
    await run.get(path, { limit: 1, page: 1 }),
    await run.get(path, { limit: 1, page: 2 }),
    await run.get(path, { limit: 1, page: 0 }),
  ];
  // A list that changes meanwhile contradicts nothing.
  const again = await run.get(path, { limit: MOST });
  const isSteady = again.ok && JSON.stringify(itemsOf(again)) === JSON.stringify(items);
  const known = (holds: boolean, least: number) => (isSteady && texts.length >= least ? holds : null);
  const seen = isSteady ? '' : ', but the list changes';
  for (const [page, reply] of [first, second].entries()) {
    const request = `GET ${path}?limit=1&page=${page + 1}`;
    if (page < texts.length) run.decideStatus(`${name}.200`, request, reply, 200);
    run.decideContent(`${name}.200`, request, reply, (content) => {
      const follows = firstOf(content) === texts[page];
      return [known(follows, page + 1), `${follows ? '' : 'not '}record ${page + 1} of the list${seen}`];
    });
  }
  run.decideContent(`${name}.page`, `GET ${path}`, plain, (content) => {
    const starts = firstOf(content) === texts[0];
    return [known(starts, 1), `${starts ? 'begins' : 'does not begin'} like page 1${seen}`];
  });
  // Below the minimum a service refuses, or takes the minimum.
  if (!zeroth.ok) return run.decideRefusal(`${name}.page`, `GET ${path}?page=0`, zeroth);
  const isMinimum = firstOf(zeroth) === (first.ok ? firstOf(first) : undefined);
  run.decide(`${name}.page`, known(isMinimum, 1), `GET ${path}?page=0: ${zeroth.words}${seen}`);
}

function firstOf(content: Content): string | undefined {
  return JSON.stringify(itemsOf(content)[0]);
}

/** The ids of the records, and whether each is a number of its own. */
export function decideIds(
  run: Run,
  id: 'participant.id' | 'exam.id',
  items: readonly JsonObject[],
): number[] {
  const ids = items.map((item) => item['id']);
  const whole = ids.filter((one): one is number => Number.isSafeInteger(one));
  const isUnique = new Set(whole).size === whole.length;
  run.decide(
    id,
    items.length === 0 ? null : whole.length === ids.length && isUnique,
    `${items.length} records, ${whole.length} with an integer${isUnique ? '' : ', not all of their own'}`,
  );
  return whole;
}

// Checks the claims about lists: page sizes, page numbers and filters.

import { isObject, type JsonObject } from '../../../util/json.ts';
import { type Answer as ListAnswer, readListAnswer } from '../../inspect/answer.ts';
import type { Answer, Run } from '../run.ts';

const MOST = 100;
const DEFAULT = 10;
/** Fits every column for ids that a database has, and no record has got that far. */
export const UNKNOWN_ID = 2_147_483_647;

export type PagedList = 'exams' | 'examResults';

const paths = { exams: '/exams', examResults: '/exam-results' } as const;

/** Reads a list that may be in any form. */
export function itemsOf({ body, headers }: Answer): readonly JsonObject[] {
  return (readList(body, headers)?.items ?? []).filter(isObject);
}

function readList(body: unknown, headers: Headers): ListAnswer | null {
  return body === undefined ? null : readListAnswer(body, headers);
}

interface Size {
  readonly count: number;
  /** The page size that the answer tells of itself. */
  readonly told: number | null;
}

function sizeOf({ body, headers }: Answer): Size {
  const list = readList(body, headers);
  return { count: list?.items.length ?? 0, told: list?.pagination?.info.perPage ?? null };
}

/** `limit` and `page` of a list: their bounds, their defaults, and whether they are heeded. */
export async function checkPages(run: Run, name: PagedList): Promise<void> {
  const path = paths[name];
  const whole = await run.get(path, { limit: MOST });
  if (!run.decideStatus(`${name}.200`, `GET ${path}?limit=100`, whole, 200)) return;
  const items = itemsOf(whole);
  await checkLimit(run, name, items.length);
  const plain = await run.get(path);
  const { count, told } = sizeOf(plain);
  const isFull = items.length > DEFAULT ? count === DEFAULT : null;
  const holds = told === null ? isFull : told === DEFAULT && count <= DEFAULT;
  run.decide(
    `${name}.default`,
    holds,
    `GET ${path}: ${count} records${told === null ? '' : `, ${told} a page`}`,
  );
  await checkPage(run, name, items, plain);
}

async function checkLimit(run: Run, name: PagedList, total: number): Promise<void> {
  const path = paths[name];
  const one = await run.get(path, { limit: 1 });
  const few = sizeOf(one).count;
  run.decide(
    `${name}.limit`,
    one.status === 200 && few <= 1 && (total === 0 || few === 1),
    `GET ${path}?limit=1: ${one.status}, ${few} records`,
  );
  for (const limit of [0, MOST + 1]) {
    const answer = await run.get(path, { limit });
    const size = sizeOf(answer);
    run.decide(
      `${name}.limit`,
      answer.ok ? isWithinBounds(limit, size, total) : answer.status < 500,
      `GET ${path}?limit=${limit}: ${answer.status}${answer.ok ? `, ${size.count} records` : ''}`,
    );
  }
}

/** Whether the answer to a limit beyond the bounds keeps to them: a service may take the nearest one that is allowed. */
function isWithinBounds(limit: number, { count, told }: Size, total: number): boolean | null {
  if (told !== null) return told >= 1 && told <= MOST;
  if (limit === 0) return total === 0 ? null : count >= 1 && count <= MOST;
  return count > MOST ? false : null;
}

async function checkPage(
  run: Run,
  name: PagedList,
  items: readonly JsonObject[],
  plain: Answer,
): Promise<void> {
  const path = paths[name];
  const texts = items.map((item) => JSON.stringify(item));
  const pageTexts = async (page: number) => {
    const answer = await run.get(path, { limit: 1, page });
    return { answer, text: JSON.stringify(itemsOf(answer)[0]) };
  };
  const [first, second, zeroth] = [await pageTexts(1), await pageTexts(2), await pageTexts(0)];
  // A list that changes meanwhile contradicts nothing.
  const again = itemsOf(await run.get(path, { limit: MOST })).map((item) => JSON.stringify(item));
  const isSteady = again.join() === texts.join();
  const known = (holds: boolean, least: number) => (isSteady && texts.length >= least ? holds : null);
  const seen = isSteady ? '' : ', but the list changes';
  const follows = first.text === texts[0] && second.text === texts[1];
  const two = `${follows ? 'the' : 'not the'} first two records`;
  run.decide(`${name}.200`, known(follows, 2), `GET ${path}?limit=1, page 1 and 2: ${two}${seen}`);
  const starts = JSON.stringify(itemsOf(plain)[0]) === texts[0];
  const start = starts ? 'begins' : 'does not begin';
  run.decide(`${name}.page`, known(starts, 1), `GET ${path}: ${start} like page 1${seen}`);
  // Below the minimum a service refuses, or takes the minimum.
  const isMinimum = zeroth.answer.ok ? known(zeroth.text === first.text, 1) : zeroth.answer.status < 500;
  run.decide(`${name}.page`, isMinimum, `GET ${path}?page=0: ${zeroth.answer.status}${seen}`);
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

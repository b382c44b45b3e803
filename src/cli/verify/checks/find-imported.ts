// Finds the participant that a run has imported in a list of any length.

import { lastPageOf } from '../../../core/pages/next-page.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import { readListAnswer } from '../../inspect/answer.ts';
import type { Run } from '../run.ts';

const PER_PAGE = 100;
/** Read at most; of a longer list both ends, since a participant who was just made stands at one of them. */
const MOST_PAGES = 100;

/** What was found, and where it was looked for. */
export interface Imported {
  readonly records: readonly JsonObject[];
  readonly seen: string;
}

/** The records with this email, as far as the list shows emails, which is not documented. */
export async function findImported(run: Run, email: string): Promise<Imported> {
  const found = new Map<unknown, JsonObject>();
  const texts = new Set<string>();
  let count = 0;
  let last: number | null = null;
  let hasEmails = false;
  for (let turn = 0; turn < MOST_PAGES; turn += 1) {
    const page = pageOfTurn(turn, last);
    if (page === null) break;
    const reply = await run.get('/participants', { limit: PER_PAGE, page });
    if (!reply.ok) return { records: [], seen: `GET /participants?page=${page}: ${reply.words}` };
    const list = readListAnswer(reply.body, reply.headers);
    const items = (list?.items ?? []).filter(isObject);
    const text = JSON.stringify(items);
    // Neither parameter is documented for this list: it may be whole on every page.
    if (texts.has(text) || (items.length === 0 && last === null)) break;
    texts.add(text);
    const info = list?.pagination?.info;
    if (info) last ??= lastPageOf(info, info.perPage);
    count += items.length;
    hasEmails ||= items.some((item) => 'email' in item);
    for (const item of items) if (item['email'] === email) found.set(item['id'], item);
  }
  const records = [...found.values()];
  if (records.length > 0) return { records, seen: `${records.length} with one email` };
  const seen = hasEmails
    ? `not among the ${count} participants that were read: give --participant`
    : 'the list shows no email';
  return { records, seen };
}

/** From both ends inwards where the last page is known, otherwise from the first one on; `null` after the last one. */
function pageOfTurn(turn: number, last: number | null): number | null {
  if (last === null) return turn + 1;
  if (turn >= last) return null;
  return turn % 2 === 0 ? turn / 2 + 1 : last - (turn - 1) / 2;
}

import { ResponseFormatError } from '../errors/response-format-error.ts';
import type { ListOptions } from '../options.ts';
import { PagesAhead } from './pages-ahead.ts';
import type { Step } from './step.ts';

/** Iterates over pages. With `maxItems`, the page that reaches the limit comes last and is complete. */
export async function* iterate<Item>(
  first: Step<Item>,
  options: ListOptions<never>,
): AsyncGenerator<Step<Item>, void, undefined> {
  const { maxPages = Number.POSITIVE_INFINITY, concurrency = 1, signal, distinct } = options;
  const ahead = new PagesAhead<Item>(concurrency, signal);
  const given = new Set<unknown>();
  let step: Step<Item> | null = first;
  let left = options.maxItems ?? Number.POSITIVE_INFINITY;
  let size = 1;
  try {
    for (let count = 1; step !== null; count += 1) {
      if (distinct !== undefined) leaveOut(step, distinct, given);
      left -= step.rows.length;
      size = Math.max(size, step.fetched.data.length);
      const wanted = Math.min(Math.ceil(left / size), maxPages - count);
      ahead.prepare(step, wanted);
      yield step;
      step = wanted > 0 ? await ahead.after(step, wanted) : null;
    }
  } finally {
    ahead.stop();
  }
}

/** Removes rows whose keys are in `given`. */
function leaveOut<Item>(
  step: Step<Item>,
  distinct: NonNullable<ListOptions<never>['distinct']>,
  given: Set<unknown>,
): void {
  step.rows = step.rows.filter((item) => {
    const { size } = given;
    return given.add(distinct === true ? idOf(item, step) : distinct(item as never)).size > size;
  });
}

/** @throws {ResponseFormatError} for an item without an id, which can be neither kept nor skipped */
function idOf(item: unknown, { fetched }: Step<unknown>): unknown {
  const { id } = Object(item);
  if (id !== undefined && id !== null) return id;
  throw new ResponseFormatError(
    fetched.answer,
    'an item has no `id`, which `distinct: true` compares; use `distinct: (item) => key` instead',
  );
}

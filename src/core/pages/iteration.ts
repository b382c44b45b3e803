import type { ListOptions } from '../options.ts';
import { PagesAhead } from './pages-ahead.ts';
import type { Step } from './step.ts';

/** Goes from page to page. With `maxItems`, the page that reaches it is the last, and is whole. */
export async function* iterate<Item>(
  first: Step<Item>,
  options: ListOptions,
): AsyncGenerator<Step<Item>, void, undefined> {
  const { maxPages = Number.POSITIVE_INFINITY, concurrency = 1, signal } = options;
  const ahead = new PagesAhead<Item>(concurrency, signal);
  let step: Step<Item> | null = first;
  let left = options.maxItems ?? Number.POSITIVE_INFINITY;
  let size = 1;
  try {
    for (let count = 1; step !== null; count += 1) {
      left -= step.fetched.data.length;
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

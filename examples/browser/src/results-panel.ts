// The table of results on the page, with a filter and one page at a time.

import { count, element, find } from './dom.ts';
import { Pager, positionOf } from './pager.ts';
import { Panel } from './panel.ts';
import { client, type ExamResult } from './service.ts';

/** Which results are shown; what is left out does not matter. */
export interface ResultFilter {
  readonly exam_id?: number | undefined;
  readonly participant_id?: number | undefined;
}

/** A page of results in a table. */
export class ResultsPanel {
  readonly #panel = new Panel('#results');
  readonly #rows = find('tbody', HTMLTableSectionElement, this.#panel.section);
  readonly #pager = new Pager(
    find('nav', HTMLElement, this.#panel.section),
    (page) => void this.#turnTo(page),
  );
  #filter: ResultFilter = {};
  #limit = 10;

  /** Shows the first page of what the filter lets through. */
  show(filter: ResultFilter, limit: number): Promise<void> {
    this.#filter = filter;
    this.#limit = limit;
    return this.#turnTo(1);
  }

  #turnTo(page: number): Promise<void> {
    return this.#panel.load(async (signal) => {
      const query = { ...this.#filter, page, limit: this.#limit };
      const results = await client.examResults.list(query, { signal });
      this.#rows.replaceChildren(...results.data.map(rowOf));
      this.#pager.show(results);
      if (results.data.length === 0)
        return 'No results. Choose another exam or participant, or clear the filters.';
      const position = positionOf(results);
      return results.total === null
        ? position
        : `${count(results.total, 'result')}, ${position.toLowerCase()}`;
    });
  }
}

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const scores = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

function rowOf({ participant, exam, status_label, score, end_at }: ExamResult): HTMLTableRowElement {
  const time = Date.parse(end_at ?? '');
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      participant?.name ?? 'Unknown',
      element('small', {}, participant ? ` #${participant.id}` : ''),
    ),
    cell('Exam', exam?.name ?? '–'),
    cell('Status', status_label ?? '–'),
    cell('Score', typeof score === 'number' ? scores.format(score) : '–', 'number'),
    cell('Finished', Number.isNaN(time) ? (end_at ?? '–') : dates.format(time)),
  );
}

/** On a narrow screen the label stands before the text, as the heading of the column is gone there. */
function cell(label: string, text: string, className = ''): HTMLTableCellElement {
  const made = element('td', { className }, text);
  made.dataset['label'] = label;
  return made;
}

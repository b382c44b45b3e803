// The list of exams on the page: one page at a time, and one exam to choose.

import type { Page } from 'exam-service-sdk';
import { count, element, find } from './dom.ts';
import { Pager, positionOf } from './pager.ts';
import { Panel } from './panel.ts';
import { client, type Exam } from './service.ts';

const PER_PAGE = 8;

/** The exams, one of which may be chosen. */
export class ExamsPanel {
  readonly #panel = new Panel('#exams');
  readonly #list = find('ul', HTMLUListElement, this.#panel.section);
  readonly #pager = new Pager(find('nav', HTMLElement, this.#panel.section), (page) => void this.load(page));
  readonly #onChoose: (exam: Exam | null) => void;
  #chosen: number | null = null;

  constructor(onChoose: (exam: Exam | null) => void) {
    this.#onChoose = onChoose;
  }

  load(page = 1): Promise<void> {
    return this.#panel.load(async (signal) => {
      const exams = await client.exams.list({ page, limit: PER_PAGE }, { signal });
      this.#show(exams);
      if (exams.data.length === 0) return 'There are no exams yet.';
      return exams.total === null ? positionOf(exams) : count(exams.total, 'exam');
    });
  }

  /** Clears the choice without an event. */
  clear(): void {
    this.#chosen = null;
    this.#mark();
  }

  #show(page: Page<Exam>): void {
    this.#pager.show(page);
    this.#list.replaceChildren(...page.data.map((exam) => element('li', {}, this.#button(exam))));
    this.#mark();
  }

  #button(exam: Exam): HTMLButtonElement {
    const button = element(
      'button',
      { type: 'button', value: String(exam.id) },
      element('span', {}, exam.name ?? `Exam ${exam.id}`),
      element('small', {}, exam.name_short ?? ''),
    );
    button.addEventListener('click', () => {
      const isChosen = this.#chosen === exam.id;
      this.#chosen = isChosen ? null : exam.id;
      this.#mark();
      this.#onChoose(isChosen ? null : exam);
    });
    return button;
  }

  #mark(): void {
    for (const button of this.#list.querySelectorAll('button'))
      button.ariaPressed = String(button.value === String(this.#chosen));
  }
}

import type { Page } from 'exam-service-sdk';
import { element } from './dom.ts';

/**
 * The buttons to the page before and the page after. They stay in place, and keep the focus, while pages
 * change: one that leads nowhere is marked as disabled instead of being so.
 */
export class Pager {
  readonly #previous = button('Previous');
  readonly #next = button('Next');
  readonly #position = element('span');
  #page = 1;

  constructor(nav: HTMLElement, turnTo: (page: number) => void) {
    nav.append(this.#previous, this.#position, this.#next);
    this.#previous.addEventListener('click', () => {
      if (isEnabled(this.#previous)) turnTo(this.#page - 1);
    });
    this.#next.addEventListener('click', () => {
      if (isEnabled(this.#next)) turnTo(this.#page + 1);
    });
  }

  show(page: Page<unknown>): void {
    this.#page = page.page;
    this.#previous.ariaDisabled = String(page.page <= 1);
    this.#next.ariaDisabled = String(!page.hasNextPage());
    this.#position.textContent = positionOf(page);
  }
}

/** Where a page lies, as far as the service says. */
export function positionOf({ page, lastPage }: Page<unknown>): string {
  return lastPage === null ? `Page ${page}` : `Page ${page} of ${lastPage}`;
}

const isEnabled = (control: HTMLElement) => control.ariaDisabled === 'false';

function button(label: string): HTMLButtonElement {
  return element('button', { type: 'button', textContent: label, ariaDisabled: 'true' });
}

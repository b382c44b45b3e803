import { advise } from './advice.ts';
import { element, find } from './dom.ts';

/** A part of the page that shows what it loads, that it loads, or why it could not. */
export class Panel {
  readonly section: HTMLElement;
  readonly #status: HTMLElement;
  readonly #notice: HTMLElement;
  #controller = new AbortController();

  constructor(selector: string) {
    this.section = find(selector, HTMLElement);
    this.#status = find('.status', HTMLElement, this.section);
    this.#notice = find('.notice', HTMLElement, this.section);
  }

  /**
   * Loads and shows something, and aborts the load that is still running here: only the newest request
   * matters. `work` returns the status message.
   */
  async load(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#notice.hidden = true;
    this.#enter('loading', 'Loading…');
    try {
      this.#enter('ready', await work(signal));
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(error, () => this.load(work));
    }
  }

  #enter(state: 'loading' | 'ready' | 'failed', said: string): void {
    this.section.dataset['state'] = state;
    this.section.ariaBusy = String(state === 'loading');
    this.#status.textContent = said;
  }

  #fail(error: unknown, retry: () => Promise<void>): void {
    const { title, hint } = advise(error);
    this.#enter('failed', '');
    const again = element('button', { type: 'button', textContent: 'Try again' });
    again.addEventListener('click', () => {
      // The button is about to go, and would take the focus along.
      this.section.focus({ preventScroll: true });
      void retry();
    });
    this.#notice.replaceChildren(element('strong', {}, title), element('p', {}, hint), again);
    this.#notice.hidden = false;
  }
}

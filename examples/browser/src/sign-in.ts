// The sign-in of the page: who is signed in is a matter of the server, in a cookie that the page cannot read.

import { find } from './dom.ts';

/** What the page knows of the person who is signed in. */
export interface Person {
  readonly name: string;
  readonly role: 'teacher' | 'participant';
}

/** Shows the form, or the page with the name of the person. */
export class SignIn {
  readonly #section = find('#sign-in', HTMLElement);
  readonly #form = find('form', HTMLFormElement, this.#section);
  readonly #notice = find('.notice', HTMLElement, this.#section);
  readonly #person = find('.person', HTMLElement);
  readonly #onSignedIn: (person: Person) => void;

  constructor(onSignedIn: (person: Person) => void) {
    this.#onSignedIn = onSignedIn;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#ask({ method: 'POST', body: JSON.stringify(Object.fromEntries(new FormData(this.#form))) });
    });
    // A fresh page holds nothing of the person before.
    find('button', HTMLButtonElement, this.#person).addEventListener('click', () => {
      void fetch('/session', { method: 'DELETE' }).then(() => location.reload());
    });
  }

  /** Goes on where a session is still valid. */
  resume(): Promise<void> {
    return this.#ask();
  }

  async #ask(init?: RequestInit): Promise<void> {
    this.#notice.hidden = true;
    try {
      const response = await fetch('/session', { ...init, headers: { 'Content-Type': 'application/json' } });
      const body = await response.json();
      if (!response.ok) throw new Error(body.message);
      this.#show(body);
    } catch (error) {
      this.#show(null);
      this.#notice.textContent = error instanceof Error ? error.message : 'Try again later.';
      this.#notice.hidden = false;
    }
  }

  #show(person: Person | null): void {
    this.#section.hidden = person !== null;
    this.#person.hidden = person === null;
    find('.panels', HTMLElement).hidden = person === null;
    if (person === null) return;
    find('span', HTMLElement, this.#person).textContent = person.name;
    this.#onSignedIn(person);
  }
}

/**
 * Runs in the page: shows changes as they arrive and submits forms without leaving the page. Its source text is sent as
 * is, so it uses nothing from outside itself.
 */
export function live(): void {
  const status = document.querySelector<HTMLElement>('[role=status]');
  const shown = new Map<string, string>();
  const successShows = 6000;
  let fading = 0;
  let refreshing = false;
  let again = false;

  type Control = HTMLInputElement | HTMLSelectElement;
  const isControl = (element: Element): element is Control =>
    element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
  const isChanged = (control: Control) =>
    control instanceof HTMLInputElement
      ? control.value !== control.defaultValue
      : [...control.options].some((option) => option.selected !== option.defaultSelected);

  function say(message: string, failed: boolean): void {
    if (status === null) return;
    status.textContent = message;
    status.dataset['failed'] = String(failed);
    window.clearTimeout(fading);
    if (!failed) fading = window.setTimeout(() => status.replaceChildren(), successShows);
  }

  /**
   * Inserts new content and leaves the reader where they were: focus, inputs and open parts stay. If the focused
   * control is gone, another one of the same record gets the focus, or the part as a whole.
   */
  function replace(section: HTMLElement, content: Element): void {
    const focused = section.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const entries = [...section.querySelectorAll('input, select')]
      .filter((element) => isControl(element) && isChanged(element))
      .map((element) => [element.id, isControl(element) ? element.value : ''] as const);
    const open = [...section.querySelectorAll('details[open]')].map(({ id }) => id);
    section.replaceChildren(...content.childNodes);
    for (const [id, value] of entries) {
      const element = document.getElementById(id);
      if (element !== null && isControl(element)) element.value = value;
    }
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
    if (focused === undefined) return;
    const record = focused.slice(focused.lastIndexOf('-'));
    const sibling = section.querySelector<HTMLElement>(`[id$="${record}"]`);
    (document.getElementById(focused) ?? sibling ?? section).focus();
  }

  async function refresh(): Promise<void> {
    again = refreshing;
    if (refreshing) return;
    refreshing = true;
    try {
      const response = await fetch(location.href);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const content of page.querySelectorAll('[data-live]')) {
        const section = document.getElementById(content.id);
        if (section === null || shown.get(content.id) === content.innerHTML) continue;
        shown.set(content.id, content.innerHTML);
        replace(section, content);
      }
    } finally {
      refreshing = false;
    }
    if (again) await refresh();
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) fields.append(name, String(value));
    const response = await fetch(form.action, {
      method: 'POST',
      body: fields,
      headers: { accept: 'text/plain' },
    });
    say(await response.text(), !response.ok);
    if (response.ok) form.reset();
    await refresh();
  }

  const lost = () => say('The emulator does not answer. This page may be out of date.', true);

  document.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    submit(event.target).catch(lost);
  });

  const events = new EventSource('/console/events');
  events.addEventListener('open', () => {
    if (status?.dataset['failed'] === 'true') say('', false);
    refresh().catch(lost);
  });
  events.addEventListener('message', () => void refresh().catch(lost));
  events.addEventListener('error', lost);
}

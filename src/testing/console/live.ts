/**
 * Runs in the page: shows changes as they arrive and submits forms without leaving the page. Its source text is sent as
 * is, so it uses nothing from outside itself.
 */
export function live(): void {
  const status = document.querySelector<HTMLElement>('[role=status]');
  const narrow = window.matchMedia('(max-width: 560px)');
  const shown = new Map<string, string>();
  const successShows = 6000;
  let fading = 0;
  let refreshing = false;
  let again = false;

  function say(message: string, failed: boolean): void {
    if (status === null) return;
    status.textContent = message;
    status.dataset['failed'] = String(failed);
    window.clearTimeout(fading);
    if (!failed) fading = window.setTimeout(() => status.replaceChildren(), successShows);
  }

  const idOf = (node: Node) => (node instanceof Element ? node.id : '');

  /** Makes a part of the page like its new form. Nodes that stay keep what the reader does there: text that is selected,
   * inputs, open parts. */
  function update(old: Node, fresh: Node): void {
    if (!(old instanceof Element) || !(fresh instanceof Element)) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (name !== 'open' && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    updateChildren(old, fresh);
  }

  function updateChildren(old: Element, fresh: Element): void {
    const nodes = [...fresh.childNodes];
    const staying = new Set([...fresh.children].map(({ id }) => id));
    // First, or what stays would be moved, and lose the focus.
    for (const child of [...old.children]) if (child.id !== '' && !staying.has(child.id)) child.remove();
    const named = new Map([...old.children].map((child) => [child.id, child]));
    let at = old.firstChild;
    for (const node of nodes) {
      const id = idOf(node);
      const isLike = at !== null && idOf(at) === '' && at.nodeName === node.nodeName;
      const twin = id === '' ? (isLike ? at : null) : (named.get(id) ?? null);
      if (twin !== null && twin === at) at = at.nextSibling;
      else old.insertBefore(twin ?? node, at);
      if (twin !== null) update(twin, node);
    }
    while (old.childNodes.length > nodes.length) old.lastChild?.remove();
  }

  /** Updates a part. If the focused control is gone, the next one of its row, or of a row below it, has the focus. */
  function replace(section: HTMLElement, content: Element): void {
    const focused = section.contains(document.activeElement) ? document.activeElement : null;
    const row = focused?.closest('tr, li');
    const rows = [...section.querySelectorAll('tr, li')];
    const candidates = row ? rows.slice(rows.indexOf(row)) : [];
    updateChildren(section, content);
    if (focused === null || section.contains(document.activeElement)) return;
    const controls = 'button, summary, select, input:not([type=hidden])';
    const next = candidates
      .filter((candidate) => candidate.isConnected)
      .map((candidate) => candidate.querySelector<HTMLElement>(controls))
      .find((control) => control !== null);
    (next ?? section).focus();
  }

  async function refresh(): Promise<void> {
    again = refreshing;
    if (refreshing) return;
    refreshing = true;
    try {
      const url = new URL(location.href);
      if (narrow.matches) url.searchParams.set('rows', '5');
      const response = await fetch(url);
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
    const fields = new FormData(form);
    const texts = new URLSearchParams();
    for (const [name, value] of fields) if (typeof value === 'string') texts.append(name, value);
    const response = await fetch(form.action, {
      method: 'POST',
      body: form.enctype === 'multipart/form-data' ? fields : texts,
      headers: { accept: 'text/plain' },
    });
    say(await response.text(), !response.ok);
    if (response.ok) form.reset();
    await refresh();
  }

  const lost = () => say('The emulator does not respond. This page may be out of date.', true);

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

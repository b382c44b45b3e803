// Run and Edit beside the snippets of a page. Each run is a fresh worker with an emulator behind `fetch`.
import type { FromWorker } from './messages.ts';

/** The modules that snippets can import, and the files of the site that hold them. */
declare const LIBRARIES: Readonly<Record<string, string>>;

/** How long a program may take, and how long it may block its worker. */
const limitMs = 5_000;
const pingEveryMs = 2_000;

type Snippet = ReturnType<typeof mount>;

export function setUpSnippets(root: URL): void {
  const prelude = document.querySelector('main')?.dataset['prelude'];
  if (prelude === undefined) return;
  if (location.protocol === 'file:') {
    const note =
      'Browsers load no modules from files. Serve the folder of this site over HTTP to run its snippets.';
    document.querySelector('.snippet')?.insertAdjacentHTML('afterend', `<p class="note">${note}</p>`);
    return;
  }
  const snippets = [...document.querySelectorAll<HTMLElement>('.snippet')].map((frame) => mount(frame, run));
  let stopLast = () => {};

  async function run(snippet: Snippet): Promise<void> {
    stopLast();
    snippet.begin();
    const above = snippets.slice(0, snippets.indexOf(snippet) + 1).filter(({ isApart }) => !isApart);
    try {
      const program = snippet.isApart
        ? await compose(root, '', [snippet])
        : await compose(root, prelude ?? '', above);
      stopLast = start(root, program, snippet);
    } catch (error) {
      snippet.print(String(error), true);
      snippet.end('did not run');
    }
  }
}

/** One module of all that a snippet needs. */
async function compose(root: URL, prelude: string, snippets: readonly Snippet[]): Promise<string> {
  const { stripTypes }: typeof import('./strip.ts') = await import(new URL('assets/lib/strip.js', root).href);
  // Import maps do not hold in workers.
  const link = (code: string) =>
    code.replaceAll(/(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g, (all, before, _quote, name) => {
      const file = LIBRARIES[name];
      if (file !== undefined) return `${before}'${new URL(file, root).href}'`;
      if (/^(@|\w+(?!.*:\/))/.test(name)) throw new Error(`This page does not have the module ${name}.`);
      return all;
    });
  const bodies = snippets.map(({ index, code, trigger: [event, endpoint] }) => {
    const then = event ? `await page_.trigger('${event}', ${endpoint});` : '';
    return `page_.begin(${index});\n${link(stripTypes(code()))}\n${then}`;
  });
  const runtime = `import * as page_ from '${new URL('assets/lib/runtime.js', root).href}';`;
  return [runtime, link(prelude), ...bodies, 'await page_.end();'].join('\n');
}

/** @returns what ends it */
function start(root: URL, program: string, snippet: Snippet): () => void {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  let limit: number | undefined;
  const ping = setInterval(() => {
    watch('stopped responding and was ended');
    worker.postMessage('ping');
  }, pingEveryMs);

  function stop(): void {
    trust();
    clearInterval(ping);
    worker.terminate();
    URL.revokeObjectURL(url);
  }
  /** Ends the worker, unless it does in time what is expected of it. */
  function watch(message: string): void {
    limit ??= window.setTimeout(() => {
      stop();
      showConsole(null);
      snippet.end(message);
    }, limitMs);
  }
  function trust(): void {
    clearTimeout(limit);
    limit = undefined;
  }
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'print') {
      if (data.snippet === snippet.index) snippet.print(data.text, data.isError);
    } else if (data.type === 'started') {
      trust();
      watch(`was ended: it ran longer than ${limitMs / 1_000} seconds`);
      showConsole(connectConsole(root, worker));
    } else {
      if (data.type === 'done') snippet.end();
      if (data.type === 'failed') snippet.end('ended with an error');
      if (!snippet.isRunning()) trust();
    }
  });
  worker.addEventListener('error', ({ message }) => {
    if (!snippet.isRunning()) return;
    stop();
    snippet.print(message || 'The modules of this page could not be loaded.', true);
    snippet.end('did not run');
  });
  return stop;
}

/** Gives a snippet of the page its buttons and its output. */
function mount(frame: HTMLElement, run: (snippet: Snippet) => void) {
  const find = <Found extends Element>(selector: string) => frame.querySelector<Found>(selector) as Found;
  const [pre, area] = [find<HTMLElement>('pre'), find<HTMLTextAreaElement>('textarea')];
  const [runButton, editButton] = [find<HTMLButtonElement>('.run'), find<HTMLButtonElement>('.edit')];
  const [status, printed, output] = [find('.status'), find<HTMLElement>('.printed'), find('.printed pre')];
  const { index = '', promise = '', trigger = '', apart } = frame.dataset;
  const shown = find('.outputs pre').textContent ?? '';
  const original = pre.textContent ?? '';
  const code = () => (area.hidden ? original : area.value);
  const grow = () => Object.assign(area, { rows: area.value.split('\n').length });

  find<HTMLElement>('.bar').hidden = false;
  runButton.addEventListener('click', () => run(snippet));
  editButton.addEventListener('click', () => {
    const isEditing = area.hidden;
    area.value = original;
    grow();
    area.hidden = !isEditing;
    find<HTMLElement>('.block').hidden = isEditing;
    editButton.firstChild?.replaceWith(isEditing ? 'Reset' : 'Edit');
    if (!isEditing) return;
    area.focus();
    area.setSelectionRange(0, 0);
  });
  area.addEventListener('input', grow);
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(snippet);
  });

  const snippet = {
    index: Number(index),
    isApart: apart !== undefined,
    trigger: trigger.split(' '),
    code,
    isRunning: () => frame.dataset['outcome'] === 'running',
    begin() {
      frame.dataset['outcome'] = 'running';
      output.replaceChildren();
      printed.hidden = true;
      status.textContent = 'running …';
    },
    print(text: string, isError: boolean) {
      const line = document.createElement(isError ? 'em' : 'span');
      line.textContent = `${text}\n`;
      output.append(line);
    },
    /** @param failure Why it did not come to its end */
    end(failure?: string) {
      const text = output.textContent ?? '';
      // A separate program may say more, such as where it listens.
      const isKept = apart === undefined ? text === promise : text.endsWith(promise);
      const outcome = failure ? 'failed' : code() !== original ? 'edited' : isKept ? 'kept' : 'differs';
      frame.dataset['outcome'] = outcome;
      const plain = promise === '' ? 'ran' : '✓ as shown';
      status.textContent =
        failure ?? { edited: 'ran', kept: plain, differs: 'prints something else', failed: '' }[outcome];
      // What stands on the page already is not shown again.
      printed.hidden = outcome === 'kept' && (text === shown || text === promise);
      if (text === '') output.append('nothing');
    },
  };
  return snippet;
}

/** The console in a frame, whose network is a port to the worker. */
function connectConsole(root: URL, worker: Worker): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Console of the emulator';
  frame.loading = 'lazy';
  frame.src = new URL('assets/console.html', root).href;
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage('console', [port1]);
    frame.contentWindow?.postMessage('console', location.origin, [port2]);
  });
  return frame;
}

function showConsole(frame: HTMLIFrameElement | null): void {
  const panel = document.getElementById('console') as HTMLDetailsElement;
  panel.querySelector('iframe')?.remove();
  if (frame !== null) panel.append(frame);
  panel.classList.toggle('used', frame !== null);
  // In a separate column, it covers nothing.
  if (frame !== null && window.matchMedia('(min-width: 1440px)').matches) panel.open = true;
}

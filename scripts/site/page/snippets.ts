// Run and Edit beside the snippets of a page. Each run is a fresh worker with an emulator behind `fetch`.
import type { FromWorker } from './messages.ts';

/** The modules that snippets can import, and the files of the site that hold them. */
declare const LIBRARIES: Readonly<Record<string, string>>;

/** How long a program may keep the worker to itself. */
const limitMs = 5_000;
const pingEveryMs = 2_000;

type Strip = { stripTypes(code: string): string };

export function setUpSnippets(root: URL): void {
  const main = document.querySelector('main');
  const frames = [...document.querySelectorAll<HTMLElement>('.snippet')];
  if (main === null || frames.length === 0 || location.protocol === 'file:') return;
  const snippets = frames.map((frame) => setUp(frame, (index) => run(index)));
  let stopLast = () => {};

  async function run(index: number): Promise<void> {
    stopLast();
    const own = snippets[index];
    if (own === undefined) return;
    own.begin();
    const parts = own.isApart ? [own] : snippets.slice(0, index + 1).filter(({ isApart }) => !isApart);
    try {
      const prelude = own.isApart ? '' : (main?.dataset['prelude'] ?? '');
      const program = await compose(prelude, parts, own.trigger);
      stopLast = start(program, index, own);
    } catch (error) {
      own.print(String(error), true);
      own.end('did not run');
    }
  }

  async function compose(prelude: string, parts: readonly Shown[], trigger: string): Promise<string> {
    const { stripTypes }: Strip = await import(new URL('assets/lib/strip.js', root).href);
    const bodies = parts.map(({ code, index }) => `page_.begin(${index});\n${linkImports(stripTypes(code()))}`);
    const [event, endpoint] = trigger.split(' ');
    if (event) bodies.push(`await page_.trigger('${event}', ${endpoint});`);
    const runtime = new URL('assets/lib/runtime.js', root).href;
    return [`import * as page_ from '${runtime}';`, linkImports(prelude), ...bodies, 'await page_.end();'].join('\n');
  }

  /** Import maps do not hold in workers. */
  const linkImports = (code: string) =>
    code.replaceAll(/(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g, (all, before, _quote, name) => {
      const file = LIBRARIES[name];
      if (file !== undefined) return `${before}'${new URL(file, root).href}'`;
      if (/^[\w@]/.test(name) && !name.includes(':/')) throw new Error(`This page does not have the module ${name}.`);
      return all;
    });

  function start(program: string, index: number, shown: Shown): () => void {
    const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    const worker = new Worker(url, { type: 'module' });
    let limit = 0;
    const ping = setInterval(() => {
      if (shown.state() !== 'running') watch('stopped answering and was ended');
      worker.postMessage('ping');
    }, pingEveryMs);

    function stop(): void {
      clearTimeout(limit);
      clearInterval(ping);
      worker.terminate();
      URL.revokeObjectURL(url);
    }
    function watch(message: string): void {
      clearTimeout(limit);
      limit = window.setTimeout(() => {
        stop();
        closeConsole();
        shown.end(message);
      }, limitMs);
    }
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'started') {
        watch(`was ended: it ran longer than ${limitMs / 1_000} seconds`);
        openConsole(root, worker);
      } else if (data.type === 'print') {
        if (data.snippet === index) shown.print(data.text, data.isError);
      } else {
        if (data.type === 'done') shown.end();
        if (shown.state() !== 'running') clearTimeout(limit);
      }
    });
    worker.addEventListener('error', ({ message }) => {
      if (shown.state() !== 'running') return;
      shown.print(message || 'The modules of this page could not be loaded.', true);
      shown.end('did not run');
      stop();
    });
    return stop;
  }
}

interface Shown {
  readonly index: number;
  readonly isApart: boolean;
  readonly trigger: string;
  code(): string;
  state(): string | undefined;
  begin(): void;
  print(text: string, isError: boolean): void;
  end(message?: string): void;
}

function setUp(frame: HTMLElement, run: (index: number) => void): Shown {
  const index = Number(frame.dataset['index']);
  const pre = frame.querySelector('pre') as HTMLPreElement;
  const promise = frame.dataset['promise'] ?? '';
  const original = pre.textContent ?? '';
  const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, text = '') =>
    Object.assign(document.createElement(name), { className, textContent: text });

  const area = Object.assign(element('textarea', 'code'), { spellcheck: false, hidden: true, value: original });
  area.setAttribute('aria-label', `Code of snippet ${index + 1}`);
  const runButton = element('button', 'run', 'Run');
  const editButton = element('button', 'edit', 'Edit');
  const status = element('span', 'status');
  status.setAttribute('role', 'status');
  const bar = element('div', 'bar');
  bar.append(runButton, editButton, status);
  for (const button of [runButton, editButton]) {
    button.setAttribute('aria-label', `${button.textContent} snippet ${index + 1}`);
  }
  const printed = element('figure', 'printed');
  const output = element('pre', '');
  output.tabIndex = 0;
  printed.append(element('figcaption', '', 'Printed here'), output);
  printed.hidden = true;
  pre.after(area, bar);
  const outputs = frame.querySelector('.outputs') ?? frame.appendChild(element('div', 'outputs'));
  outputs.append(printed);

  const fit = () => Object.assign(area, { rows: area.value.split('\n').length });
  runButton.addEventListener('click', () => run(index));
  editButton.addEventListener('click', () => {
    const isEditing = area.hidden;
    if (!isEditing) area.value = original;
    area.hidden = !isEditing;
    pre.hidden = isEditing;
    editButton.textContent = isEditing ? 'Reset' : 'Edit';
    editButton.setAttribute('aria-label', `${editButton.textContent} snippet ${index + 1}`);
    if (isEditing) area.focus();
    fit();
  });
  area.addEventListener('input', fit);
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(index);
  });

  return {
    index,
    isApart: 'apart' in frame.dataset,
    trigger: frame.dataset['trigger'] ?? '',
    code: () => (area.hidden ? original : area.value),
    state: () => frame.dataset['state'],
    begin() {
      frame.dataset['state'] = 'running';
      delete frame.dataset['outcome'];
      output.replaceChildren();
      printed.hidden = false;
      status.textContent = 'running …';
    },
    print(text, isError) {
      output.append(Object.assign(element(isError ? 'em' : 'span', ''), { textContent: `${text}\n` }));
    },
    end(message) {
      if (frame.dataset['state'] === 'ended' && message === undefined) return;
      const text = output.textContent ?? '';
      // A program of its own may say more, such as where it listens.
      const isKept = frame.dataset['apart'] === undefined ? text === promise : text.endsWith(promise);
      const isEdited = !area.hidden && area.value !== original;
      frame.dataset['state'] = 'ended';
      frame.dataset['outcome'] = message ? 'failed' : isEdited ? 'edited' : isKept ? 'kept' : 'differs';
      status.textContent = message ?? (isEdited || promise + text === '' ? 'ran' : isKept ? '✓ prints what the text shows' : 'prints something else');
      if (text === '') output.append(element('span', 'nothing', 'nothing'));
    },
  };
}

function openConsole(root: URL, worker: Worker): void {
  const panel = document.getElementById('console') as HTMLDetailsElement | null;
  if (panel === null) return;
  const frame = document.createElement('iframe');
  frame.title = 'Console of the emulator';
  frame.src = new URL('assets/console.html', root).href;
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage('console', [port1]);
    frame.contentWindow?.postMessage('console', location.origin, [port2]);
  });
  const wasShown = !panel.hidden;
  panel.querySelector('iframe')?.remove();
  panel.append(frame);
  panel.hidden = false;
  if (!wasShown) panel.open = window.matchMedia('(min-width: 1180px)').matches;
}

function closeConsole(): void {
  document.getElementById('console')?.toggleAttribute('hidden', true);
}

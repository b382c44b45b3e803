// Makes the content of a page of a Markdown text.
import { posix } from 'node:path';
import highlighter from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import Token from 'markdown-it/lib/token.mjs';
import { snippetsOf } from './snippets.ts';

export const { escapeHtml } = new MarkdownIt().utils;

export interface Section {
  readonly id: string;
  readonly level: number;
  readonly heading: string;
  text: string;
}

export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
  /** The first sentence. */
  readonly description: string;
  /** Files of the repository that the page links to or shows. */
  readonly files: readonly string[];
}

/** Where a file of the repository is on the site. Source files are shown as text; browsers would download some of them. */
export function placeOf(path: string): string {
  if (path.endsWith('README.md')) return `${path.slice(0, -'README.md'.length)}index.html`;
  // Some hosts leave out folders whose names begin with a dot.
  const visible = path.replace(/^\./, '');
  if (path.endsWith('.md')) return visible.replace(/md$/, 'html');
  return /\.(png|json)$/.test(path) ? path : `${path}.txt`;
}

/** Headings of the reference that say what follows, not what it is about. */
const general =
  /^(Parameters|Returns|Throws|Methods|Properties|Type Parameters|Extends|Extended by|Overrides|Default|Call Signature|Accessors|Constructors|Inherited from|Type Declaration|Union Members|Example)$/;

/** In headings of the reference: `Interface: ` and `<Item>`. */
const kindOrParameters = /^(Abstract )?(Class|Interface|Type Alias|Function|Variable): |<.*>(?=$|\()/g;

/** Says in every document with which program its snippets begin: nobody searches for it. */
const aboutSnippets = /Th(?:e|is) snippets?[^.:]*? the README's first call[.:] ?/;

/** @param isGuide Whether its snippets run */
export function render(path: string, text: string, isGuide: boolean): Rendered {
  const markdown = new MarkdownIt({
    html: true,
    highlight: (code, language) =>
      highlighter.getLanguage(language)
        ? highlighter.highlight(code.trimEnd(), { language }).value
        : escapeHtml(code.trimEnd()),
  });
  const tokens = markdown.parse(text, {});
  markTasks(tokens);
  markCells(tokens);
  const files = new Set<string>();
  const sections: Section[] = [];
  const ids = new Map<string, number>();

  function idOf(text: string): string {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    const before = ids.get(slug) ?? 0;
    ids.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  }
  function goTo(href: string): string {
    if (/^[a-z]+:|^#/.test(href)) return href;
    const [target = '', anchor] = href.split('#');
    const file = posix.join(posix.dirname(path), target);
    files.add(file);
    const place = posix.relative(posix.dirname(placeOf(path)), placeOf(file));
    return anchor === undefined ? place : `${place}#${anchor}`;
  }

  for (const [index, token] of tokens.entries()) {
    const { children, content } = tokens[index + 1] ?? {};
    if (token.type === 'heading_open') {
      const heading = textOf(children ?? []).replaceAll(kindOrParameters, '');
      const id = idOf(content ?? '');
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      if (level <= 3 && !general.test(heading)) sections.push({ id, level, heading, text: '' });
      if (level > 1) tokens[index + 1]?.children?.push(anchorTo(id, heading));
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      addText(textOf(token.children ?? []).replace(aboutSnippets, ''));
    } else if (token.type === 'fence') addText(token.content);
    if (token.attrGet('data-label') === 'You see') addMessage(tokens[index - 1], tokens[index + 1]);
    for (const child of token.children ?? []) {
      const attribute = child.type === 'image' ? 'src' : 'href';
      const target = child.attrGet(attribute);
      if (target !== null) child.attrSet(attribute, goTo(target));
    }
  }
  function anchorTo(id: string, heading: string): Token {
    const anchor = new Token('html_inline', '', 0);
    anchor.content = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(heading)}"></a>`;
    return anchor;
  }
  /** A message has an anchor of its own, and is found by itself. */
  function addMessage(row: Token | undefined, cell: Token | undefined): void {
    const heading = textOf(cell?.children ?? []);
    const id = idOf(heading);
    row?.attrSet('id', id);
    cell?.children?.push(anchorTo(id, heading));
    sections.push({ id, level: 4, heading, text: '' });
  }
  function addText(more: string): void {
    const section = sections.at(-1);
    if (section) section.text += `${more.replaceAll(/\s+/g, ' ')} `;
  }

  if (isGuide) mountSnippets(text, tokens);
  markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
  markdown.renderer.rules['table_close'] = () => '</table></div>';
  const pre = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (all, index, ...rest) => {
    const { meta } = all[index] as Token;
    const code = pre?.(all, index, ...rest).replace('<pre>', '<pre tabindex="0">') ?? '';
    const block = `<div class="block">${code}</div>`;
    return meta === null ? block : `<div class="snippet" ${meta.attributes}>${block}${meta.controls}</div>`;
  };
  const first = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  const [description = ''] = /^.*?(?:\.(?=\s)|$)/s.exec(textOf(tokens[first + 1]?.children ?? [])) ?? [];
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { html, sections, description, files: [...files] };
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content }) => (/break/.test(type) ? ' ' : /^(text|code_inline)$/.test(type) ? content : ''))
    .join('');

/** The style sheet draws the boxes of a checklist. */
function markTasks(tokens: readonly Token[]): void {
  for (const [index, { children }] of tokens.entries()) {
    const item = tokens[index - 2];
    const [first] = children ?? [];
    if (item?.type !== 'list_item_open' || !first?.content.startsWith('[ ] ')) continue;
    item.attrSet('class', 'task');
    first.content = first.content.slice('[ ] '.length);
  }
}

/** Each cell has the name of its column, for screens on which rows become blocks. */
function markCells(tokens: readonly Token[]): void {
  let header: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    const { children, content } = tokens[index + 1] ?? {};
    const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1];
    if (alignment !== undefined) token.attrs = [['class', alignment]];
    if (token.type === 'table_open') header = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'td_open') {
      const label = header[column];
      if (label) token.attrSet('data-label', label);
      column += 1;
    }
    if (token.type !== 'th_open') continue;
    header.push(textOf(children ?? []));
    // A cell without a text heads nothing.
    if (content === '') for (const cell of tokens.slice(index, index + 3)) cell.tag = cell.tag && 'td';
  }
}

/** Puts what the page needs to run a snippet on its block, and the output that the text shows below it into the same frame. */
function mountSnippets(text: string, tokens: Token[]): void {
  const snippets = snippetsOf(text);
  const blocks = tokens.filter(({ type, info }) => type === 'fence' && info === 'ts');
  for (const [index, block] of blocks.entries()) {
    const snippet = snippets[index];
    if (snippet?.code !== block.content)
      throw new Error(`Snippet ${index + 1} is not what the tests run:\n${block.content}`);
    const at = tokens.indexOf(block);
    const end = tokens.findIndex(({ type }, place) => place > at && type === 'heading_open');
    const section = tokens.slice(at, end === -1 ? undefined : end);
    const [, event, endpoint] =
      /trigger (\S+) --endpoint (\d+)/.exec(section.map(({ content }) => content).join()) ?? [];
    const triggered = event === undefined ? undefined : section.find(({ info }) => info === 'text')?.content;
    const attributes = [
      `data-index="${index}"`,
      snippet.isApart && 'data-apart',
      triggered !== undefined && `data-trigger="${event} ${endpoint}"`,
      `data-promise="${escapeHtml(triggered ?? snippet.output)}"`,
    ];
    block.meta = {
      attributes: attributes.filter(Boolean).join(' '),
      controls: controlsOf(index + 1, snippet.output),
    };
    if (snippet.output !== '') tokens.splice(at + 1, 1);
  }
}

/** What runs and edits a snippet, which the script of the page brings to life, and its outputs. */
const controlsOf = (number: number, output: string) => `
<textarea class="code" aria-label="Code of snippet ${number}" spellcheck="false" hidden></textarea>
<div class="bar" hidden>
<button class="run">Run<i> snippet ${number}</i></button>
<button class="edit">Edit<i> snippet ${number}</i></button>
<span class="status" role="status"></span>
</div>
<div class="outputs">
${output && `<figure><figcaption>Output</figcaption><pre tabindex="0">${escapeHtml(output)}</pre></figure>`}
<figure class="printed" hidden><figcaption>Printed here</figcaption><pre tabindex="0"></pre></figure>
</div>`;

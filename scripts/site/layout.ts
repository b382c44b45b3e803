// The frame of every page: policy, search, navigation, outline, the pages before and after, and the place of the emulator's console.
import { posix } from 'node:path';
import { escapeHtml, type Section } from './markdown.ts';

interface Link {
  /** On the site. */
  readonly url: string;
  readonly title: string;
}

export interface Page extends Link {
  /** Of the Markdown: in the repository, or in the reference. */
  readonly path: string;
  readonly description: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Where its snippets begin, if it has any. */
  readonly prelude: string | undefined;
}

/** What a module of the reference has for one job. */
interface Topic extends Link {
  readonly links: readonly Link[];
}

export interface NavigationLink extends Link {
  readonly path: string;
  readonly topics: readonly Topic[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

export interface Package {
  readonly version: string;
  /** Where the source is published, once it is. */
  readonly source: string | undefined;
}

/** Everything comes from the site. Workers are made of the snippets, and have the policy of the page: they reach nothing. */
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; worker-src 'self' blob:; frame-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

export function layout(
  { path, url, title, description, html, sections, prelude }: Page,
  navigation: readonly NavigationGroup[],
  { version, source }: Package,
): string {
  const to = (target: string) => posix.relative(posix.dirname(url), target) || posix.basename(url);
  // A class of the reference has its members below headings that say nothing.
  const top = Math.min(...sections.map(({ level }) => level).filter((level) => level > 1));
  const parts = sections.filter(({ level }) => level === top);
  const here = parts
    .map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`)
    .join('');
  const order = navigation.flatMap(({ links }) => links);
  const at = order.findIndex((item) => item.url === url);
  /** The entry to which a page of the reference belongs: the innermost folder. */
  const module = order.findLast(
    (item) => item.url.startsWith('api/') && url.startsWith(`${posix.dirname(item.url)}/`),
  );
  const topic = module?.topics.find(({ links }) => links.some((item) => item.url === url));
  const link = (item: Link, below = '') => {
    const attribute = item.url === url ? ' aria-current="page"' : '';
    return `<li><a href="${to(item.url)}"${attribute}>${escapeHtml(item.title)}</a>${below}</li>`;
  };
  const linksTo = (items: readonly Link[]) => items.map((item) => link(item)).join('');
  const topicsOf = ({ topics }: NavigationLink) =>
    topics.map((item) => link(item, item === topic ? `<ul>${linksTo(item.links)}</ul>` : '')).join('');
  const entry = (item: NavigationLink) => {
    const isOpen = item === module && item.topics.length > 0;
    if (isOpen) return link(item, `<ul class="topics">${topicsOf(item)}</ul>`);
    return link(item, item.url === url && parts.length > 1 ? `<ul class="here">${here}</ul>` : '');
  };
  const groups = navigation
    .map(({ title, links }) => `<h2>${title}</h2><ul>${links.map(entry).join('')}</ul>`)
    .join('');
  const reference = order.find((item) => item.url === 'api/index.html');
  const above = module === undefined ? [] : [reference, module, topic];
  const trail = linksTo(above.flatMap((item) => (item && item.url !== url ? item : [])));
  const turn = (rel: string, label: string, item: Link | undefined) =>
    item && at !== -1
      ? `<a rel="${rel}" href="${to(item.url)}"><small>${label}</small> ${escapeHtml(item.title)}</a>`
      : '';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title === 'exam-service-sdk' ? title : `${title} – exam-service-sdk`)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(description)}">
<meta property="og:site_name" content="exam-service-sdk">
<meta property="og:type" content="website">
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${to(path.replace(/^\./, ''))}">
<link rel="stylesheet" href="${to('assets/style.css')}">
<script src="${to('assets/site.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${to('index.html')}">exam-service-sdk <small>${version}</small></a>
<form role="search" hidden>
<input type="search" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false">
<span id="found" role="status"></span>
<ol id="results" hidden></ol>
</form>
${source === undefined ? '' : `<a class="source" href="${escapeHtml(source)}">Source</a>`}
<button class="theme" aria-label="Dark colours" hidden></button>
</header>
<button class="menu" popovertarget="contents">Menu</button>
<div class="columns">
<nav id="contents" aria-label="Documents" popover>${groups}</nav>
<main id="content" tabindex="-1"${prelude === undefined ? '' : ` data-prelude="${escapeHtml(prelude)}"`}>
${trail && `<nav class="trail" aria-label="Breadcrumb"><ol>${trail}</ol></nav>`}
${html}
<nav class="turn" aria-label="Before and after">
${turn('prev', 'Previous', order[at - 1])}
${turn('next', 'Next', order[at + 1])}
<a href="${to(path.replace(/^\./, ''))}">This page as Markdown</a>
</nav>
</main>
<div class="side">
${parts.length < 2 ? '' : `<nav class="outline" aria-label="On this page"><ul>${here}</ul></nav>`}
${prelude === undefined ? '' : '<aside aria-label="Emulator"><details id="console"><summary>What the emulator holds now</summary><p>Run a snippet to see it.</p></details></aside>'}
</div>
</div>
</body>
</html>
`;
}

// Makes the static site of the documents and the reference: node scripts/site/build.ts [folder] [folder with the reference]
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { consolePage } from '../../src/testing/console/page.ts';
import { STYLE_SHEET as CONSOLE_STYLES } from '../../src/testing/console/style-sheet.ts';
import { createEmulator } from '../../src/testing/create-emulator.ts';
import { bundle } from './bundle.ts';
import {
  layout,
  type NavigationGroup,
  type NavigationLink,
  type Package,
  type Page,
  policy,
} from './layout.ts';
import { escapeHtml, placeOf, render } from './markdown.ts';
import type { Entry } from './page/find.ts';
import { preludeOf, snippetsOf } from './snippets.ts';

const repository = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const { version, description, repository: published } = JSON.parse(read('package.json'));
const source: Package['source'] = published?.url.replace(/^git\+|\.git$/g, '');

/** The path below which a host serves the site: `/`, or that of a project. */
const basePath = process.env['SITE_BASE_PATH'] ?? '/';

/** The documents in the order of the navigation. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['README.md', 'examples/README.md', 'docs/going-live.md', 'docs/troubleshooting.md'],
  Guides: names(
    'import assignments large-jobs pagination webhooks operate-a-receiver retries validation logging telemetry',
  ),
  'Where it runs': names('browsers react compatibility'),
  'Emulator and tools': names('emulator control-interface command-line'),
  Reference: names('service configuration defaults errors'),
  Project: ['CHANGELOG.md', 'docs/SECURITY.md', 'AGENTS.md', '.github/CONTRIBUTING.md'],
};

/** Titles that are too long for the navigation, or say there what every entry does. */
const shortTitles: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'docs/service.md': 'All operations',
  'docs/validation.md': 'Validation',
};

/** Hosts show it for an unknown address, whatever its depth. So its links begin at the root of the host. */
const notFoundPath = '404.md';
const relativeLink = /(?<= (?:href|src)=")(?!#|[a-z]+:)/g;
const notFound = `# Page not found

There is no page at this address. It may be mistyped, or the page has moved: pages of the [reference](api/README.md) are named after the
types that they show. Search for what you need, or start at the [overview](README.md).
`;

const aboutReference =
  'API reference\n\nLook up a class, function or type: what it takes, returns and throws, and which endpoint it calls.';

function names(list: string): string[] {
  return list.split(' ').map((name) => `docs/${name}.md`);
}

/** @param reference The folder with the reference as Markdown */
async function buildSite(out: string, reference: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const readme = read('README.md');
  const guides = [...Object.values(groups).flat(), ...globSync('examples/*/README.md', { cwd: repository })];
  const missing = globSync('docs/*.md', { cwd: repository }).filter((path) => !guides.includes(path));
  if (missing.length > 0) throw new Error(`scripts/site/build.ts has no place for ${missing.join(', ')}.`);

  const imported = new Set<string>();
  const files = new Set<string>();
  const pages = new Map<string, Page>();
  for (const path of guides) {
    const text = read(path);
    const snippets = snippetsOf(text);
    for (const { code } of snippets) {
      for (const [, name = ''] of code.matchAll(/^(?:import|\}) .*from '(.+)';$/gm)) imported.add(name);
    }
    add(path, text, snippets.length > 0 ? preludeOf(text, readme) : undefined);
  }
  for (const path of globSync('**/*.md', { cwd: reference }).sort()) {
    const [, module] = /^(.+)\/README\.md$/.exec(path) ?? [];
    const head = module === undefined ? aboutReference : importName(module);
    const text = readFileSync(join(reference, path), 'utf8').replaceAll(
      /(?<=^\| \[).+?(?=\]\(.+?\/README\.md\))/gm,
      importName,
    );
    add(`api/${path}`, path.endsWith('README.md') ? text.replace(/^# .*/, `# ${head}`) : text);
  }
  add(notFoundPath, notFound);
  function importName(module: string): string {
    return `exam-service-sdk/${module}`.replace('/index', '');
  }
  function add(path: string, text: string, prelude?: string): void {
    const rendered = render(path, text, !path.startsWith('api/'));
    for (const file of rendered.files) if (!file.endsWith('.md')) files.add(file);
    const title = rendered.sections[0]?.heading ?? path;
    pages.set(path, { ...rendered, path, url: placeOf(path), title, prelude });
    write(path.replace(/^\./, ''), text);
  }

  const modules = [...pages.keys()].filter((path) => /^api\/.*README\.md$/.test(path)).sort();
  const navigation: NavigationGroup[] = Object.entries(groups).map(([title, paths]) => ({
    title,
    links: paths.map(linkTo),
  }));
  navigation.splice(-1, 0, { title: 'API', links: modules.map(linkTo) });
  function linkTo(path: string): NavigationLink {
    const page = pages.get(path);
    const title = shortTitles[path] ?? page?.title.replace('exam-service-sdk/', '/') ?? path;
    return { path, url: placeOf(path), title, topics: page && modules.includes(path) ? topicsOf(page) : [] };
  }
  function write(path: string, text: string): void {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  }

  const front = pages.get('README.md');
  const endOfGlance = /(?<= id="at-a-glance".*?)(?=<h2)/s;
  if (front) pages.set(front.path, { ...front, html: front.html.replace(endOfGlance, cardsOf(pages)) });
  for (const page of pages.values()) {
    const html = layout(page, navigation, { version, source });
    write(page.url, page.path === notFoundPath ? html.replaceAll(relativeLink, basePath) : html);
  }
  write('llms.txt', listOf(navigation, pages));
  for (const file of files) {
    mkdirSync(dirname(join(out, placeOf(file))), { recursive: true });
    copyFileSync(join(repository, file), join(out, placeOf(file)));
  }
  await bundle(join(out, 'assets'), [...imported]);
  const themes = read('scripts/site/page/themes.css');
  write('assets/style.css', read('scripts/site/page/style.css') + themes);
  write('assets/search-index.js', `searchIndex=${JSON.stringify(entriesOf([...pages.values()]))}`);
  write('assets/console.html', consoleFrame());
  write('assets/console.css', CONSOLE_STYLES + themes);
}

/** Where most readers go from the front page. */
function cardsOf(pages: ReadonlyMap<string, Page>): string {
  const cards = names('import assignments webhooks')
    .flatMap((path) => pages.get(path) ?? [])
    .map(
      ({ url, title, description }) =>
        `<li><a href="${url}"><strong>${title}</strong> ${escapeHtml(description)}</a></li>`,
    );
  return `<ul class="cards">${cards.join('')}</ul>`;
}

/** The groups of a module, as its page lists them. */
function topicsOf({ url, html, sections }: Page): NavigationLink['topics'] {
  const parts = html.split('<h2 ').slice(1);
  return sections
    .filter(({ level }) => level === 2)
    .map(({ id, heading }, index) => ({
      url: `${url}#${id}`,
      title: heading,
      links: [...(parts[index] ?? '').matchAll(/<tr>\s*<td[^>]*><a href="([^"]+)">([^<]+)/g)].map(
        ([, target = '', title = '']) => ({ url: posix.join(posix.dirname(url), target), title }),
      ),
    }));
}

/** What can be found. A member that many classes inherit is found in the first of them. */
function entriesOf(pages: readonly Page[]): Entry[] {
  const members = new Set<string>();
  return pages.flatMap(({ path, url, title, sections }) => {
    const page = shortTitles[path] ?? title;
    return sections.flatMap(({ id, level, heading, text }): Entry[] => {
      const member = `${heading}: ${text.slice(0, 80)}`;
      if (path === notFoundPath || (level > 1 && url.startsWith('api/') && members.has(member))) return [];
      members.add(member);
      return [{ url: level === 1 ? url : `${url}#${id}`, page, heading, text: text.trim() }];
    });
  });
}

/** `llms.txt`: the texts of the pages, for programs that read. */
function listOf(navigation: readonly NavigationGroup[], pages: ReadonlyMap<string, Page>): string {
  const groups = navigation.map(({ title, links }) => {
    const lines = links.map(
      ({ path }) =>
        `- [${pages.get(path)?.title}](${path.replace(/^\./, '')}): ${pages.get(path)?.description}`,
    );
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return [`# exam-service-sdk ${version}\n`, `> ${description}\n`, ...groups].join('\n');
}

/** The emulator's own page; what it shows comes through a port. */
function consoleFrame(): string {
  return String(consolePage(createEmulator(), new URL('http://127.0.0.1:4010/')))
    .replace('<meta charset="utf-8">', `$&<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('/console/style.css', 'console.css')
    .replace('/console/live.js', 'console.js');
}

const [out = join(repository, 'docs/site'), reference = join(repository, 'node_modules/.cache/reference')] =
  process.argv.slice(2);
await buildSite(out, reference);

import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../console/browser.ts';
import { findings } from '../helpers/axe.ts';
import { longTest } from '../helpers/long-test.ts';
import { isLong } from '../helpers/requirements.ts';
import { documents, readme } from './documents.ts';
import { repository } from './new-user.ts';
import { basePath, makeSite, type Site, serveFolder } from './site-helpers.ts';

let site: Site;
let pages: string[];

beforeAll(async () => {
  site = await makeSite();
  pages = globSync('**/*.html', { cwd: site.folder, exclude: ['assets/**'] }).sort();
}, 120_000);

afterAll(() => site?.[Symbol.asyncDispose]());

const pageOf = (document: string) => document.replace(/README\.md$/, 'index.md').replace(/md$/, 'html');
const read = (path: string) => readFileSync(join(site.folder, path), 'utf8');

describe('the reference', () => {
  test('has every public symbol with its documentation and its job, and every link leads somewhere', () => {
    expect(site.complaints).toBe('');
  });

  test('lists the symbols by job, in the order of the work', () => {
    const page = read('api/index/index.html');
    const places = ['Set up a client', 'Import participants', 'Assign and send links', 'Handle errors'].map(
      (job) => page.indexOf(`>${job}<`),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('lists on the page of a module what it documents, and apart what it exports again', () => {
    const page = read('api/webhooks/index.html');
    expect(page).toContain('<a href="classes/WebhookVerificationError.html">');
    expect(page.indexOf('Re-exports')).toBeGreaterThan(page.indexOf('>Also exported here<'));
  });

  test('names the class of whatever is thrown, with a link', () => {
    const lists = pages.flatMap((page) =>
      [...read(page).matchAll(/ id="throws.*?<\/h\d>\s*(.*?)<(?:h\d|hr|nav)/gs)].map(([, list = '']) => list),
    );
    expect(lists.length).toBeGreaterThan(40);
    for (const list of lists) expect(list).toMatch(/^<ul>\s*(<li><(a href|code).*?<\/li>\s*)+<\/ul>/s);
    expect(read('api/index/interfaces/Participants.html')).toContain(
      '<a href="../classes/NotFoundError.html">NotFoundError</a> when there is no such participant',
    );
  });

  test('says what each entry is for, and marks one as the current', () => {
    const front = read('api/index.html');
    expect(front).toContain('<a href="testing/msw/index.html">exam-service-sdk/testing/msw</a>');
    expect(front).not.toContain('<td>-</td>');
    for (const page of pages.filter((path) => path.startsWith('api/')))
      expect(read(page).match(/aria-current="page"/g), page).toHaveLength(1);
  });

  test('shows on each page the way up, and in the navigation the job with what else serves it', () => {
    const page = read('api/index/interfaces/Participants.html');
    const [, trail = ''] = /aria-label="Breadcrumb">(.*?)<\/nav>/.exec(page) ?? [];
    expect([...trail.matchAll(/href="(.*?)">(.*?)</g)].map(([, href, title]) => [href, title])).toEqual([
      ['../../index.html', 'API reference'],
      ['../index.html', 'exam-service-sdk'],
      ['../index.html#import-participants', 'Import participants'],
    ]);
    const [, topics = ''] = /<ul class="topics">(.*?)<h2>/s.exec(page) ?? [];
    expect(topics).toContain('<a href="../index.html#handle-errors">');
    expect(topics).toContain('<a href="ImportSummary.html">');
    expect(topics).not.toContain('RateLimitError');
  });

  test('covers every entry of the package', async () => {
    const { exports } = JSON.parse(await readFile(`${repository}package.json`, 'utf8'));
    const entries = Object.keys(exports).filter((name) => !name.endsWith('.json'));
    for (const name of entries)
      expect(pages).toContain(posix.join('api', name === '.' ? 'index' : name, 'index.html'));
  });
});

test('the page for an unknown address has links that hold at any depth, and is in no list', () => {
  const links = [...read('404.html').matchAll(/ (?:href|src)="(?!#|data:)([^"]+)"/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(30);
  for (const link of links) expect(link).toMatch(/^\/some\/project\//);
  expect(read('llms.txt')).not.toContain('404');
  expect(read('assets/search-index.js')).not.toContain('"url":"404');
});

test('every document has its page, and every link and picture leads to something on the site', () => {
  expect(pages).toEqual(expect.arrayContaining(documents.map(({ name }) => pageOf(name))));
  const ids = new Map<string, Set<string | undefined>>();
  const idsOf = (path: string) => {
    const known = ids.get(path) ?? new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    ids.set(path, known);
    return known;
  };
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, link = ''] of read(page).matchAll(/<[^>]+ (?:href|src)="(?!data:|https?:)([^"]+)"/g)) {
      const [path = '', id] = link.replace(basePath, '').replaceAll('&amp;', '&').split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      const isThere = globSync(target, { cwd: site.folder }).length === 1;
      if (!isThere || (id !== undefined && !idsOf(target).has(id))) broken.push(`${page}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('no page holds an inline style or script, or loads anything from elsewhere', () => {
  for (const page of pages) {
    expect(read(page), page).not.toMatch(
      / style=|<style|<script(?! src="(?:(?:\.\.\/)*|\/some\/project\/)assets\/site\.js")| on\w+="/,
    );
    expect(read(page), page).not.toMatch(/<(?:img|link|script|iframe)[^>]+(?:src|href)="https?:/);
  }
});

test('every page says what it is, and its Markdown and llms.txt are beside it', () => {
  for (const page of pages) {
    const [, description] = /<meta name="description" content="([^"]*)"/.exec(read(page)) ?? [];
    if (!page.startsWith('api/')) expect(description, page).not.toBe('');
    expect(read(page), page).toContain(`<meta property="og:description" content="${description}">`);
    const [, markdown = ''] = /type="text\/markdown" href="([^"]+)"/.exec(read(page)) ?? [];
    expect(
      globSync(posix.join(posix.dirname(page), markdown.replace(basePath, '')), { cwd: site.folder }),
      page,
    ).toHaveLength(1);
  }
  const list = read('llms.txt');
  for (const { name } of documents.filter(({ name }) => name.startsWith('docs/')))
    expect(list).toContain(`](${name})`);
  for (const line of list.split('\n').filter((line) => line.startsWith('- ')))
    expect(line).toMatch(/: \w.+\.$/);
});

test('the front page leads to import, assign and receive, and every page to the source once it is published', async () => {
  const cards = [...read('index.html').matchAll(/<li><a href="([^"]+)"><strong>/g)].map(([, url]) => url);
  expect(cards).toEqual(['docs/import.html', 'docs/assignments.html', 'docs/webhooks.html']);
  const front = read('index.html');
  expect(front.indexOf('npm install')).toBeLessThan(front.indexOf('class="cards"'));
  const { repository: published } = JSON.parse(await readFile(`${repository}package.json`, 'utf8'));
  for (const page of pages) expect(read(page).includes('class="source"'), page).toBe(published !== undefined);
});

interface Entry {
  readonly url: string;
  readonly heading: string;
  readonly text: string;
}

interface Searching {
  makeSearch(entries: readonly Entry[]): (typed: string) => readonly Entry[];
  excerptOf(found: { readonly text: string; readonly terms: readonly string[] }): readonly string[];
}

describe('the search', () => {
  let find: (typed: string) => readonly string[];
  let search: ReturnType<Searching['makeSearch']>;
  let module: Searching;
  let entries: readonly Entry[];
  beforeAll(async () => {
    // The project of the site checks its own types, as it installs its own libraries.
    module = await import(join(repository, 'scripts/site/page/find.ts'));
    entries = JSON.parse(read('assets/search-index.js').replace('searchIndex=', ''));
    search = module.makeSearch(entries);
    find = (typed) => search(typed).map(({ url, heading, text }) => `${url} ${heading} ${text}`);
  });

  test.each([
    ['401', /^(docs|index).*\b401\b/],
    ['429', /^(docs|index).*\b429\b/],
    ['4010', /\b4010\b/],
    ['1000', /\b1000\b/],
    ['importAll', /^api\S+ importAll\(\)/],
    ['verifyWebhook', /^api\S+ verifyWebhook\(\)/],
    ['RateLimitError', /^api\S+ RateLimitError/],
    ['createWebhookHandler', /^api\S+ createWebhookHandler\(\)/],
    ['findByEmail', /^api\S+ findByEmail\(\)/],
    ['withResponse', /^api\S+ withResponse\(\)/],
    ['webhook handler', /^(docs|index|examples).*handler/i],
    ['rate limit error', /^(docs|index).*rate limit/i],
    ['dedupe', /^(docs|index|examples).*(once|duplicate)/i],
    ['unwrap', /verifyWebhook/],
    ['constructEvent', /constructEvent|verifyWebhook/],
    ['retry', /^(docs|index).*retr/i],
    ['csp', /^(docs|index|examples).*(Content-Security-Policy|CSP)/i],
    ['esm', /^(docs|index|examples).*(ES modules|import|ESM)/i],
    ['idempotency', /idempoten/i],
    ['paginaton', /^docs.*pagination/i],
    ['rate limit', /^(docs|index).*rate limit/i],
    ['next page', /^(docs|index).*next.*page/i],
  ])('finds first what is meant: %s', (typed, first) => {
    expect(find(typed)[0]).toMatch(first);
  });

  // The page that answers a question, whatever its words are by now.
  const questions: readonly (readonly [typed: string, page: RegExp])[] = [
    ['verify webhook signature', /^docs\/webhooks/],
    ['too many requests', /^docs\/(retries|troubleshooting)/],
    ['cors error', /^docs\/(browsers|troubleshooting)/],
    ['set timeout', /^docs\/(configuration|defaults)/],
    ['cancel a request', /^docs\/errors/],
    ['missed webhooks', /^docs\/operate-a-receiver/],
    ['excel', /^docs\/import/],
    ['corporate proxy', /^docs\/configuration/],
    ['self signed certificate', /^docs\/(configuration|troubleshooting)/],
    ['ECONNREFUSED', /^docs\/troubleshooting/],
    ['rotate api key', /^docs\/(configuration|going-live)/],
    ['rotate secret', /^docs\/operate-a-receiver/],
    ['duplicate events', /^docs\/operate-a-receiver/],
    ['invalid signature', /^docs\/(webhooks|troubleshooting)/],
    ['next.js', /^docs\/react/],
    ['lambda', /^docs\/webhooks/],
    ['mock the client in tests', /^docs\/emulator/],
    ['simulate a 503', /^docs\/emulator/],
    ['resume import', /^docs\/import/],
    ['import many users', /^docs\/(import|large-jobs)/],
    ['assign many participants', /^docs\/assignments/],
    ['email not verified', /^(index|docs\/(assignments|troubleshooting))/],
    ['get all results', /^(index|docs\/pagination)/],
    ['last page', /^docs\/pagination/],
    ['undocumented fields', /^docs\/validation/],
    ['custom endpoint', /^docs\/validation/],
    ['commonjs', /^(index|docs\/compatibility)/],
    ['react native', /^docs\/browsers/],
    ['opentelemetry metrics', /^docs\/telemetry/],
    ['request id', /^docs\/logging/],
    ['gdpr', /^docs\/SECURITY/],
    ['cron job', /^docs\/(large-jobs|retries)/],
    ['default options', /^docs\/(configuration|defaults)/],
    ['bundle size', /^docs\/browsers/],
    ['webhook localhost', /^docs\/(webhooks|command-line)/],
    ['deno', /^docs\/compatibility/],
    ['graceful shutdown', /^docs\/operate-a-receiver.html#shut-down/],
    ['memory usage', /^docs\/large-jobs/],
    ['get exam link', /^docs\/assignments/],
    ['unassign participant', /^docs\/(assignments|service)/],
    ['exam is full', /^docs\/(assignments|troubleshooting)/],
    ['webhook endpoint disabled', /^docs\/(operate-a-receiver|troubleshooting)/],
    ['clock skew', /^docs\/(webhooks|troubleshooting)/],
  ];

  test('finds first the page that answers a question, for nine of ten', () => {
    const missed = questions
      .map(([typed, page]) => ({ typed, page, first: find(typed)[0] ?? 'nothing' }))
      .filter(({ page, first }) => !page.test(first));
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(questions.length / 10);
  });

  test('finds by a whole message the row of troubleshooting that explains it', () => {
    const rows = [...read('docs/troubleshooting.md').matchAll(/^\| `(.+?)` \|/gm)].map(([, row = '']) => row);
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const [first = ''] = find(`Error: ${row} (request 7f3a)`);
      expect(first).toMatch(/^docs\/troubleshooting\.html#/);
      expect(first).toContain(row);
    }
  });

  test('shows at most three sections of a page', () => {
    for (const typed of ['rate limit', 'webhook', 'import', 'error']) {
      const pages = search(typed).map(({ url }) => url.replace(/#.*/, ''));
      expect(new Set(pages).size, typed).toBeGreaterThan(3);
      for (const page of pages)
        expect(pages.filter((one) => one === page).length, page).toBeLessThanOrEqual(3);
    }
  });

  test('shows an excerpt of whole words around what was found', () => {
    const text =
      `${'some words before '.repeat(20)}the limit is here ${'and words after '.repeat(20)}`.trim();
    const excerpt = module.excerptOf({ text, terms: ['limit'] });
    expect(excerpt[1]).toBe('limit');
    const [, kept = ''] = /^… (.+) …$/.exec(excerpt.join('')) ?? [];
    expect(text).toContain(` ${kept} `);
    expect(module.excerptOf({ text: 'the limit', terms: ['limit'] }).join('')).toBe('the limit');
  });

  test('leaves out with which program the snippets of a document begin', () => {
    expect(entries.filter(({ text }) => /snippets? (here )?(continues?|use) .*README/.test(text))).toEqual(
      [],
    );
  });

  test('finds numbers as whole words', () => {
    for (const found of find('401')) expect(found).toMatch(/(?<!\d)401(?!\d)|AuthenticationError/);
  });
});

describe.skipIf(!hasBrowser)('the site in a browser', () => {
  let launched: Awaited<ReturnType<typeof launchBrowser>>;
  let host: Awaited<ReturnType<typeof serveFolder>>;
  let context: BrowserContext;
  const problems: string[] = [];

  beforeAll(async () => {
    launched = await launchBrowser();
    host = await serveFolder(site.folder);
    context = await launched.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    context.on('request', (request) => {
      if (!request.url().startsWith(host.url) && !request.url().startsWith('blob:'))
        problems.push(request.url());
    });
    context.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    context.on('weberror', (error) => problems.push(String(error.error())));
  }, 60_000);

  afterAll(async () => {
    await launched?.[Symbol.asyncDispose]();
    await host?.[Symbol.asyncDispose]();
  });

  async function open(
    path: string,
    { width = 1280, clock = false } = {},
  ): Promise<{ page: Page } & AsyncDisposable> {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 844 });
    if (clock) await page.clock.install();
    await page.goto(new URL(path, host.url).href);
    return { page, [Symbol.asyncDispose]: () => page.close() };
  }

  /** Presses Run, and says what came of it. */
  async function run(page: Page, index: number) {
    const snippet = page.locator(`.snippet[data-index="${index}"]`);
    await snippet.locator('button.run').click();
    await snippet.and(page.locator(':not([data-outcome=running])')).waitFor();
    return {
      outcome: await snippet.getAttribute('data-outcome'),
      printed: await snippet.locator('.printed pre').innerText(),
      status: await snippet.locator('.status').innerText(),
    };
  }

  async function edit(page: Page, code: string): Promise<void> {
    const area = page.getByLabel('Code of snippet 1', { exact: true });
    if (await area.isHidden())
      await page.getByRole('button', { name: 'Edit snippet 1', exact: true }).click();
    await area.fill(code);
  }

  /** In the short form the README alone: `snippets.test.ts` runs those of every document in Node. */
  const programs = documents.filter(
    ({ name, snippets }) => snippets.length > 0 && (isLong || name === 'README.md'),
  );

  test.for(programs)('every snippet prints what is shown: $name', async ({ name, snippets }) => {
    await using opened = await open(pageOf(name), { width: 1000 });
    expect(await opened.page.locator('.snippet').count()).toBe(snippets.length);
    for (const [index, snippet] of snippets.entries()) {
      const { output, file, isApart } = snippet;
      const { outcome, printed, status } = await run(opened.page, index);
      expect(outcome, `${index}: ${status} ${printed}`).toBe('kept');
      if (!isApart || file === undefined) expect(printed.trim()).toBe(output.trim() || 'nothing');
      else if (file.includes('test')) expect(printed).toContain('ℹ pass 1\nℹ fail 0');
      else expect(readme.block('text', printed.trim().split('\n').at(-1) ?? '')).not.toBe('');
    }
    expect(problems.splice(0)).toEqual([]);
  });

  longTest.each([390, 1280, 1560])('Run moves nothing and repeats no output, at %i px', async (width) => {
    await using opened = await open('index.html', { width });
    const { page } = opened;
    const places = () =>
      page
        .locator('main > *')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top + scrollY));
    const before = await places();
    expect(await run(page, 1)).toMatchObject({ outcome: 'kept' });
    expect(await places()).toEqual(before);
    expect(await page.locator('.printed').nth(1).isVisible()).toBe(false);
    expect(problems.splice(0)).toEqual([]);
  });

  test('Copy copies a block, and every heading links to itself', async () => {
    await using opened = await open('index.html');
    const { page } = opened;
    await page.getByRole('button', { name: 'Copy' }).first().click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.trim()).toBe('npm install exam-service-sdk');
    const link = page.locator('h2 .anchor').first();
    await link.click();
    expect(page.url()).toBe(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    expect(problems.splice(0)).toEqual([]);
  });

  test('the switch of colours is remembered, and holds for the console', async () => {
    await using opened = await open('index.html');
    const { page } = opened;
    const colour = () => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const light = await colour();
    const button = page.getByRole('button', { name: 'Dark colours' });
    await button.click();
    const dark = await colour();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await colour()).toBe(dark);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await run(page, 1);
    await page.getByText('What the emulator holds now').click();
    const frame = page.frameLocator('iframe');
    expect(await frame.locator(':root').evaluate((root) => getComputedStyle(root).colorScheme)).toBe('dark');
    await button.click();
    await frame.locator('[data-theme=light]').waitFor();
    expect(await colour()).toBe(light);
    expect(problems.splice(0)).toEqual([]);
  });

  test('the outline marks the section that is read', async () => {
    await using opened = await open('docs/errors.html');
    const { page } = opened;
    const marked = page.locator('.outline [aria-current=true]');
    expect(await marked.count()).toBe(0);
    await page.getByRole('link', { name: 'Error classes', exact: true }).click();
    await page.locator('.outline').getByText('Error classes').and(marked).waitFor();
  });

  test('on a phone a menu at the bottom leads to every page', async () => {
    await using opened = await open('docs/errors.html', { width: 390 });
    const { page } = opened;
    const link = page.getByRole('link', { name: 'Import', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.waitForURL(/import/);
    expect(await link.isVisible()).toBe(false);
  });

  test('on a touch screen the search names no key, and the menu opens at the current page', async () => {
    const phone = await launched.browser.newContext({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    const page = await phone.newPage();
    await page.goto(new URL('docs/errors.html', host.url).href);
    expect(await page.getByRole('searchbox').getAttribute('placeholder')).toBe('Search');
    await page.getByRole('button', { name: 'Menu' }).click();
    const here = page.locator('#contents [aria-current]');
    await expect.poll(() => here.evaluate((link) => link.getBoundingClientRect().top)).toBeLessThan(844);
    expect(await findings(page, [390])).toEqual([]);
    await phone.close();
  });

  test('an unknown address shows a page that leads back', async () => {
    await using opened = await open('docs/no/such/page.html');
    const { page } = opened;
    await page.getByRole('searchbox').fill('webhook');
    await page.locator('#results a').first().waitFor();
    await page.locator('main').getByRole('link', { name: 'overview' }).click();
    await page.waitForURL(new URL('index.html', host.url).href);
    problems.splice(0);
  });

  longTest('the console beside a snippet shows what it changed, and changes it', async () => {
    await using opened = await open('index.html');
    const { page } = opened;
    await run(page, 3);
    await page.getByText('What the emulator holds now').click();
    const frame = page.frameLocator('iframe');
    const row = frame.locator('#assignments li').filter({ hasText: 'Ben Okafor' }).first();
    await row.getByRole('button', { name: 'Start exam' }).click();
    await row.getByText(/^started/).waitFor();
    expect(await frame.locator('#requests').innerText()).toContain('/exam-participants/assign');
    await edit(
      page,
      `import { ExamClient } from 'exam-service-sdk';
      const rows = Array.from({ length: 60 }, (_, row) => ({ email: row + '@a.test', name: 'x', password: 'secret' }));
      await new ExamClient().participants.importAll(rows);`,
    );
    await run(page, 0);
    await frame.locator('#participants-older').click();
    await frame.locator('#participants').getByText(/^2 of/).waitFor();
    expect(problems.splice(0)).toEqual([]);
  });

  longTest('an edited snippet runs, with types, and Reset brings the first form back', async () => {
    await using opened = await open('index.html');
    const { page } = opened;
    const before = await page.locator('.snippet pre').first().innerText();
    await edit(
      page,
      `const name: string = 'edited';\nconsole.log(name, { a: [1, 'b'] } satisfies object);\n`,
    );
    expect(await run(page, 0)).toEqual({
      outcome: 'edited',
      printed: "edited { a: [ 1, 'b' ] }\n",
      status: 'ran',
    });
    await edit(page, `console.log(1);\nthrow new Error('no luck');`);
    expect(await run(page, 0)).toEqual({
      outcome: 'failed',
      printed: '1\nError: no luck\n',
      status: 'ended with an error',
    });
    await edit(page, 'const = 1;');
    expect(await run(page, 0)).toMatchObject({
      outcome: 'failed',
      printed: expect.stringContaining('SyntaxError'),
    });
    await page.getByRole('button', { name: 'Reset snippet 1', exact: true }).click();
    expect(await page.locator('.snippet pre').first().innerText()).toBe(before);
    expect(await run(page, 0)).toMatchObject({ outcome: 'kept' });
    problems.splice(0);
  });

  longTest.each([
    ['for (;;) {}', 'was ended: it ran longer than 5 seconds'],
    ['for (;;) console.log(1);', 'was ended: it ran longer than 5 seconds'],
    ['await new Promise(() => {});', 'was ended: it ran longer than 5 seconds'],
    ['setTimeout(() => { for (;;) {} });', 'stopped responding and was ended'],
  ])('an endless loop is ended: %s', async (code, status) => {
    await using opened = await open('index.html', { clock: true });
    const { page } = opened;
    await edit(page, code);
    await page.getByRole('button', { name: 'Run snippet 1', exact: true }).click();
    await page.locator('#console iframe').waitFor({ state: 'attached' });
    if (status.startsWith('stopped')) await page.getByText('ran', { exact: true }).waitFor();
    await page.clock.runFor(8_000);
    await page.getByText(status).waitFor();
    expect(problems.splice(0)).toEqual([]);
  });

  longTest('nothing that a snippet does leaves the page', async () => {
    await using elsewhere = await serveFolder(site.folder);
    const away = new URL('assets/lib/react.js', elsewhere.url).href;
    await using opened = await open('index.html');
    const { page } = opened;
    await edit(
      page,
      `const attempts = {
        fetch: () => fetch('${away}'),
        import: () => import('${away}'),
        request: () => new Promise((resolve, reject) => {
          const request = Object.assign(new XMLHttpRequest(), { onload: resolve, onerror: () => reject(new Error('blocked')) });
          request.open('GET', '${away}');
          request.send();
        }),
        socket: () => new Promise((resolve, reject) => {
          Object.assign(new WebSocket('${away.replace('http', 'ws')}'), { onopen: resolve, onerror: () => reject(new Error('blocked')) });
        }),
        evaluate: async () => new Function('return 1')(),
        events: () => new Promise((resolve, reject) => {
          Object.assign(new EventSource('${away}'), { onopen: resolve, onerror: () => reject(new Error('blocked')) });
        }),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        console.log(name, await attempt().then(() => 'got out', () => 'blocked'));
      }`,
    );
    const { printed } = await run(page, 0);
    expect(printed.match(/blocked/g)).toHaveLength(6);
    expect(printed).not.toContain('got out');
    expect(elsewhere.requested).toEqual([]);
    problems.splice(0);
  });

  longTest('the search finds what the documents and the reference say', async () => {
    await using opened = await open('docs/errors.html');
    const { page } = opened;
    await page.keyboard.press('/');
    const searched = async (query: string) => {
      await page.getByRole('searchbox').fill(query);
      const found = page.locator('#results a');
      await found.first().waitFor();
      const urls = await found.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
      return urls.slice(0, 4).map((url) => url.replace(host.url, ''));
    };
    expect(await searched('bisect')).toContain('docs/import.html#rejected-rows');
    expect(await searched('createProxyHandler')).toContain('api/proxy/functions/createProxyHandler.html');
    const [first = ''] = await searched('importAll');
    expect(first).toBe('api/index/interfaces/Participants.html#importall');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(host.url + first);
    expect(problems.splice(0)).toEqual([]);
  });

  longTest('opened as a file it can be read and searched, and says why nothing runs', async () => {
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(site.folder, 'docs/import.html')).href);
    expect(await page.getByRole('button', { name: /Run/ }).count()).toBe(0);
    await page.getByText('Serve the folder of this site over HTTP to run its snippets.').waitFor();
    await page.getByRole('searchbox').fill('resumeFrom');
    await page.locator('#results a').first().click();
    await page.locator('h1').waitFor();
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).margin)).toBe('0px');
    await page.close();
    problems.splice(0);
  });

  /** What scrolls sideways. */
  async function wideOn(page: Page, selector: string): Promise<string[]> {
    const wide: string[] = [];
    for (const path of pages.filter((path) => !/^api\/.*\/.*\//.test(path))) {
      await page.goto(host.url + path);
      const texts = await page.locator(selector).evaluateAll((all) => {
        const found = all.filter((one) => one.scrollWidth > one.clientWidth);
        return found.map(({ textContent }) => textContent.slice(0, 80));
      });
      wide.push(...texts.map((text) => `${path}: ${text}`));
    }
    return wide;
  }

  longTest('on a phone neither pages nor tables scroll sideways', async () => {
    await using opened = await open('index.html', { width: 390 });
    expect(await wideOn(opened.page, 'html, .table')).toEqual([]);
  });

  longTest.each([
    'index.html',
    'docs/compatibility.html',
    'api/index/interfaces/Participants.html',
    '404.html',
  ])('axe-core finds nothing at 1280 and 390 px, light and dark: %s', async (path) => {
    await using opened = await open(path);
    const { page } = opened;
    if ((await page.locator('.snippet').count()) > 0) {
      await edit(page, 'console.error(1);');
      await run(page, 0);
      await page.getByText('What the emulator holds now').click();
      await page.frameLocator('iframe').locator('#requests h2').waitFor();
    }
    await page.getByRole('searchbox').fill('webhook');
    await page.locator('#results a').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems.splice(0)).toEqual([]);
  });
});

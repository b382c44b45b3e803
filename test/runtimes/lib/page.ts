import type { Page } from 'playwright-core';
import type { SharedBrowser } from './browser.ts';
import type { Findings } from './check.ts';
import type { Environment } from './service.ts';

/** How the user's own zod is configured in the page, and how often reading one object compiled code. */
export interface UserZod {
  readonly id: number;
  readonly jitless: boolean | null;
  readonly compiled: number;
}

/** What `scenario/page.js` puts into the page. */
interface PageScenario {
  run(environment: Environment): Promise<Findings>;
  userZod(settings?: { readonly jitless: boolean }): Promise<UserZod>;
  compilations(): number;
  hosts(environment: Environment): Promise<Findings>;
  guard(baseUrl: string): string;
  foreign(baseUrl: string): Promise<string>;
  leave(baseUrl: string): void;
}

declare global {
  var scenario: PageScenario;
  var violations: string[];
}

/** An open page, and the errors in it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Violations of the page's policy since it was opened. */
  violations(): Promise<readonly string[]>;
}

export async function openPage(browser: SharedBrowser, address: string): Promise<OpenPage> {
  const context = await (await browser.open()).newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      globalThis.violations.push(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  await page.goto(address);
  const loaded = await page.evaluate(() => typeof globalThis.scenario);
  if (loaded !== 'object') throw new Error(`The page did not load: ${errors.join('; ') || loaded}`);
  return {
    page,
    violations: () => page.evaluate(() => globalThis.violations),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

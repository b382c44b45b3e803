import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { SharedBrowser } from '../lib/browser.ts';
import type { Check, Findings } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { lostCallSteps, table } from '../lib/hosts.ts';
import { listen } from '../lib/loopback.ts';
import { type OpenPage, openPage } from '../lib/page.ts';
import { servePage } from '../lib/page-server.ts';
import { type Service, startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';

const row = `Chromium ${versionOf('@sparticuz/chromium')}`;

/** A real browser: the scenario under a strict policy, and what only browsers do. */
export function chromiumChecks(project: ForeignProject, browser: SharedBrowser): Check[] {
  let bundle: Promise<string> | undefined;
  const application = () => {
    bundle ??= bundlePage(project);
    return bundle;
  };
  return [scenarioCheck(), pageCheck(), hostsCheck()];

  function scenarioCheck(): Check {
    return {
      table: 'Runtimes',
      row,
      columns: steps,
      async run() {
        await using service = await startService(project);
        await using site = await serveStrictly(service, await application());
        await using opened = await openPage(browser, site.origin);
        const reported = await runInPage(opened.page, service, site.origin);
        const violations = await opened.violations();
        if (violations.length > 0) throw new Error(`The policy was violated: ${violations.join('; ')}`);
        return reported;
      },
    };
  }

  function pageCheck(): Check {
    return {
      table: 'Browser pages',
      row,
      columns: Object.keys(pageTests),
      async run() {
        const findings: Record<string, string> = {};
        for (const [name, { strict, test }] of Object.entries(pageTests)) {
          await using service = await startService(project);
          const script = await application();
          await using site = strict
            ? await serveStrictly(service, script)
            : await servePage({ script, serviceUrl: service.environment.baseUrl });
          await using opened = await openPage(browser, site.origin);
          findings[name] = await test(opened, service, site.origin);
        }
        return findings;
      },
    };
  }

  function hostsCheck(): Check {
    return {
      table,
      row,
      columns: ['navigator.locks', 'ReadableStream', ...lostCallSteps],
      isListed: false,
      async run() {
        await using service = await startService(project);
        await using site = await serveStrictly(service, await application());
        await using opened = await openPage(browser, site.origin);
        const environment = { ...service.environment, baseUrl: `${site.origin}/api/v1` };
        return await opened.page.evaluate((given) => globalThis.scenario.hosts(given), environment);
      },
    };
  }
}

interface PageTest {
  /** Whether the page has the strict policy. */
  readonly strict: boolean;
  /** Gives `ok`, or what went wrong. */
  readonly test: (opened: OpenPage, service: Service, origin: string) => Promise<string>;
}

const pageTests: Readonly<Record<string, PageTest>> = {
  'strict Content-Security-Policy': {
    strict: true,
    async test(opened, service, origin) {
      await runInPage(opened.page, service, origin);
      const compilations = await opened.page.evaluate(() => globalThis.scenario.compilations());
      const before = await opened.violations();
      // The page can notice a violation at all: a zod that may compile probes whether it can.
      await opened.page.evaluate(() => globalThis.scenario.userZod());
      const after = await opened.violations();
      if (compilations !== 0) return `the package compiled code ${compilations} times`;
      if (before.length > 0) return before.join('; ');
      return after.length > 0 ? 'ok' : 'the page did not notice a violation';
    },
  },

  "the user's own zod": {
    strict: false,
    async test({ page }, service, origin) {
      await runInPage(page, service, origin);
      const { compiled, jitless } = await page.evaluate(() => globalThis.scenario.userZod());
      if (compiled === 0 || jitless !== null) return `its JIT was switched off: ${jitless}`;
      await page.evaluate(() => globalThis.scenario.userZod({ jitless: true }));
      await runInPage(page, service, origin);
      const kept = await page.evaluate(() => globalThis.scenario.userZod());
      return kept.jitless === true && kept.compiled === 0 ? 'ok' : 'its setting was undone';
    },
  },

  'key is rejected': {
    strict: true,
    async test({ page }, _service, origin) {
      const outcome = await page.evaluate((url) => globalThis.scenario.guard(url), `${origin}/api/v1`);
      return outcome === 'rejected' ? 'ok' : outcome;
    },
  },

  'no CORS headers': {
    strict: true,
    async test({ page }) {
      const server = createServer((_, response) => {
        response.setHeader('content-type', 'application/json').end('[]');
      });
      await using holder = await listen(server);
      const url = `http://127.0.0.1:${holder.port}/api/v1`;
      const outcome = await page.evaluate((address) => globalThis.scenario.foreign(address), url);
      return outcome === 'connection' ? 'ok' : outcome;
    },
  },

  'opaque redirect': {
    strict: true,
    async test({ page }, service, origin) {
      const { redirect } = await runInPage(page, service, origin);
      return redirect ?? 'not reached';
    },
  },

  'abort on navigation': {
    strict: true,
    async test({ page }, { emulator }, origin) {
      emulator.faults.clear();
      emulator.faults.inject({
        on: 'exams.retrieve',
        effect: 'respond',
        status: 503,
        delay: 600_000,
      });
      const sent = page.waitForRequest((request) => request.url().endsWith('/exams/2'));
      await page.evaluate((url) => globalThis.scenario.leave(url), `${origin}/api/v1`);
      await sent;
      await page.goto(`${origin}/next`);
      const end = await page.evaluate(() => sessionStorage.getItem('end'));
      if (end !== 'the page was left') return `the call ended with ${end}`;
      const attempts = emulator.requests.filter(({ operation }) => operation === 'exams.retrieve').length;
      return attempts === 1 ? 'ok' : `the request was sent ${attempts} times`;
    },
  },
};

/** Runs the scenario in an open page, whose origin passes requests on to the service. */
export async function runInPage(page: Page, service: Service, origin: string): Promise<Findings> {
  const environment = { ...service.environment, baseUrl: `${origin}/api/v1`, opaqueRedirects: true };
  return verdict(service, await page.evaluate((given) => globalThis.scenario.run(given), environment));
}

/** Serves a page that may run its own scripts, and talk to its own origin and the service. */
export function serveStrictly({ environment }: Service, script: string) {
  const { origin } = new URL(environment.baseUrl);
  return servePage({
    script,
    serviceUrl: environment.baseUrl,
    policy: `default-src 'none'; script-src 'self'; connect-src 'self' ${origin}`,
  });
}

async function bundlePage({ folder }: ForeignProject): Promise<string> {
  const outfile = join(folder, 'page', 'app.js');
  await bundleWithEsbuild(
    ['scenario/page.js', '--format=esm', '--platform=browser', `--outfile=${outfile}`],
    { cwd: folder },
  );
  return readFile(outfile, 'utf8');
}

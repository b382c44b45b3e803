import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { build, preview } from 'vite';
import { createProxy } from '../../examples/browser/proxy.ts';
import { createEmulator, type Emulator } from '../../src/testing/index.ts';

export const apiKey = 'the-key-that-no-page-may-see';

/** When the sample data ends. */
export const SAMPLE_END = Date.UTC(2026, 5, 30, 9);

/** A proxy on loopback in front of an address. */
export async function startProxy(
  baseUrl: string,
  timeout?: number,
): Promise<{ origin: string; close(): Promise<void> }> {
  const proxy = createProxy({ baseUrl, apiKey, ...(timeout === undefined ? {} : { timeout }) });
  const server = serve({ fetch: proxy.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** The example as it would be deployed: built, behind its proxy, in front of an emulator that is empty. */
export interface Example {
  readonly emulator: Emulator;
  readonly url: string;
  /** Where the built page lies. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function startExample(): Promise<Example> {
  const emulator = createEmulator({ apiKey });
  const service = await emulator.listen();
  const proxy = await startProxy(service.url);
  const folder = await mkdtemp(join(tmpdir(), 'browser-example-'));
  const root = join(import.meta.dirname, '../../examples/browser');
  await build({ root, logLevel: 'silent', build: { outDir: folder, emptyOutDir: true } });
  const page = await preview({
    root,
    logLevel: 'silent',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, proxy: { '/api': proxy.origin, '/session': proxy.origin } },
  });
  const { port } = page.httpServer.address() as AddressInfo;
  return {
    emulator,
    folder,
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await page.close();
      await proxy.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The page in a browser, with what it asked for and what went wrong in it. */
export interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly requests: Request[];
  readonly problems: string[];
}

export async function open(
  browser: Browser,
  url: string,
  { user = 'teacher', ...options }: BrowserContextOptions & { user?: string | null } = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 980 },
    timezoneId: 'Asia/Jakarta',
    reducedMotion: 'reduce',
    ...options,
  });
  if (user !== null) await context.request.post(`${url}session`, { data: { user, password: user } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const requests: Request[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requests.push(request));
  page.on('pageerror', (error) => problems.push(error.message));
  // This is also where a browser reports what the page's Content-Security-Policy forbids.
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(url);
  return { page, requests, problems, [Symbol.asyncDispose]: () => context.close() };
}

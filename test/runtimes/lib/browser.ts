import type { Browser } from 'playwright-core';
import { findChromium } from '../../helpers/chromium.ts';

/** A real Chromium. */
export interface SharedBrowser extends AsyncDisposable {
  open(): Promise<Browser>;
}

/** Starts the browser when it is first asked for, and once. */
export function shareBrowser(): SharedBrowser {
  let started: Promise<Browser> | undefined;
  return {
    open() {
      started ??= start();
      return started;
    },
    async [Symbol.asyncDispose]() {
      // One that did not start has failed the checks that asked for it.
      await started?.then(
        (browser) => browser.close(),
        () => undefined,
      );
    },
  };
}

async function start(): Promise<Browser> {
  const { chromium: launcher } = await import('playwright-core');
  const executablePath = await findChromium();
  return launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

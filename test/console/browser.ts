import { type Browser, chromium as launcher } from 'playwright-core';
import { findChromium } from '../helpers/chromium.ts';

export { hasBrowser } from '../helpers/requirements.ts';

/** A real Chromium. */
export async function launchBrowser(): Promise<{ browser: Browser } & AsyncDisposable> {
  const executablePath = await findChromium();
  const browser = await launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';
import { requirements } from '../helpers/requirements.ts';

export const hasBrowser = requirements.browser.isMet;

/** A real Chromium, unpacked into a folder of its own so that test files that run at once do not meet. */
export async function launchBrowser(): Promise<{ browser: Browser } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  const executablePath = process.env['CHROME_PATH'] ?? (await chromium.executablePath());
  const browser = await launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/**
 * A real Chromium: the one that `CHROME_PATH` names, else the packaged one, which is a program for Linux on
 * x64.
 */
export interface SharedBrowser extends AsyncDisposable {
  open(): Promise<Browser>;
}

/** Starts the browser when it is first asked for, and once. */
export function shareBrowser(): SharedBrowser {
  let folder: Promise<string> | undefined;
  let started: Promise<Browser> | undefined;
  return {
    open() {
      folder ??= mkdtemp(join(tmpdir(), 'exam-service-sdk-chromium-'));
      started ??= folder.then(start);
      return started;
    },
    async [Symbol.asyncDispose]() {
      // One that did not start has failed the checks that asked for it.
      await started?.then(
        (browser) => browser.close(),
        () => undefined,
      );
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string): Promise<Browser> {
  const { chromium: launcher } = await import('playwright-core');
  const executablePath = process.env['CHROME_PATH'] ?? (await unpack(folder));
  return launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** The package unpacks into the temporary folder of the process, where other tests may do so at the same time. */
async function unpack(folder: string): Promise<string> {
  const { default: chromium } = await import('@sparticuz/chromium');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

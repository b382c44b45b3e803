import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import type { Check, Findings } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { startService, steps, verdict } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';

/** The latest date that the installed workerd knows at the time of writing; flags apply from their date on. */
export const compatibilityDate = '2026-07-01';

/** The platform asks for a default export. */
const main = "export { worker as default } from './worker.js';";

/** Cloudflare's runtime, with and without the part of Node that it offers. */
export function workerdChecks(project: ForeignProject): Check[] {
  return [check('workerd', []), check('workerd with nodejs_compat', ['nodejs_compat'])];

  function check(name: string, compatibilityFlags: string[]): Check {
    return {
      table: 'Runtimes',
      row: `${name} ${versionOf('workerd')}`,
      columns: steps,
      async run(signal) {
        await using service = await startService(project);
        const bundle = join(project.folder, `worker-${compatibilityFlags.length}`, 'worker.js');
        await bundleWithEsbuild(
          [
            'scenario/worker.js',
            '--format=esm',
            '--conditions=workerd,worker',
            '--platform=neutral',
            `--outfile=${bundle}`,
          ],
          { cwd: project.folder, signal },
        );
        const runtime = new Miniflare({
          modules: [
            { type: 'ESModule', path: 'main.js', contents: main },
            { type: 'ESModule', path: 'worker.js', contents: await readFile(bundle, 'utf8') },
          ],
          compatibilityDate,
          compatibilityFlags,
        });
        try {
          const response = await runtime.dispatchFetch('http://worker.test/', {
            method: 'POST',
            body: JSON.stringify(service.environment),
          });
          return verdict(service, (await response.json()) as Findings);
        } finally {
          await runtime.dispose();
        }
      },
    };
  }
}

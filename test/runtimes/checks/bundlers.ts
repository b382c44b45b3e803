import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '../../helpers/requirements.ts';
import type { SharedBrowser } from '../lib/browser.ts';
import type { Check } from '../lib/check.ts';
import { script, versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { openPage } from '../lib/page.ts';
import { startService } from '../lib/service.ts';
import { runInPage, serveStrictly } from './chromium.ts';
import { bundleWithEsbuild } from './esbuild.ts';

const all = [
  ['Vite', 'vite'],
  ['webpack', 'webpack'],
  ['Rollup', 'rollup'],
  ['esbuild', 'esbuild'],
] as const;
/** In the short form the one that makes the other pages, too. */
const bundlers = all.filter(([name]) => isLong || name === 'esbuild');

/** What every part of the emulator leads to, and nothing else says. */
const emulatorMark = 'The emulator reset the connection';

/** What bundlers leave in the place of a module of Node that a browser does not have. */
const emptyModule = /\(disabled\)|\(ignored\)|browser-external/;

/** Bundles for browsers: what is in them, and the scenario in a real one. */
export function bundlerChecks(project: ForeignProject, browser: SharedBrowser): Check[] {
  return bundlers.map(([name, bundler]) => ({
    table: 'Bundles for browsers',
    row: `${name} ${versionOf(bundler)}`,
    columns: ['no module of Node', 'no emulator', 'scenario in Chromium, strict policy'],
    async run(signal) {
      const source = await project.subfolder(`bundle-${bundler}`, 'module');
      await project.copy('scenario', source);
      const built = join(source, 'built');
      const parameters = [bundler, join(source, 'page.js'), built];
      await script('bundlers/command.js', parameters, { cwd: project.folder, signal });
      const bundle = await readFile(join(built, 'app.js'), 'utf8');
      return {
        'no module of Node': await nodeModules(join(built, 'app.js'), bundle, signal),
        'no emulator': await emulatorCode(project, bundle),
        'scenario in Chromium, strict policy': await runBundle(project, browser, bundle),
      };
    },
  }));
}

/** Bundles the bundle again where nothing can be found: a remaining import is an error. */
async function nodeModules(file: string, bundle: string, signal: AbortSignal): Promise<string> {
  const [left] = emptyModule.exec(bundle) ?? [];
  if (left !== undefined) return `an empty module was put in place: ${left}`;
  const folder = await mkdtemp(join(tmpdir(), 'exam-service-sdk-bundle-'));
  try {
    const parameters = [file, '--format=esm', '--platform=neutral', `--outfile=${join(folder, 'again.js')}`];
    await bundleWithEsbuild(parameters, { cwd: folder, signal });
    return 'ok';
  } catch (error) {
    return String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emulatorCode({ installed }: ForeignProject, bundle: string): Promise<string> {
  const dist = join(installed, 'dist');
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  const sources = await Promise.all(files.map((name) => readFile(join(dist, name), 'utf8')));
  if (!sources.some((source) => source.includes(emulatorMark)))
    return 'the mark of the emulator is not current';
  return bundle.includes(emulatorMark) ? 'the emulator is in the bundle' : 'ok';
}

async function runBundle(project: ForeignProject, browser: SharedBrowser, bundle: string): Promise<string> {
  await using service = await startService(project);
  await using site = await serveStrictly(service, bundle);
  await using opened = await openPage(browser, site.origin);
  const findings = Object.entries(await runInPage(opened.page, service, site.origin));
  const wrong = findings.filter(([, finding]) => finding !== 'ok').map((finding) => finding.join(': '));
  wrong.push(...(await opened.violations()));
  return findings.length > 0 && wrong.length === 0 ? 'ok' : wrong.join('; ') || 'no step was taken';
}

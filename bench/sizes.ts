// Measures what the package and its peers add to a bundle, an install and a type-check.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

const bundles: Record<string, string> = {
  'exam-service-sdk': "export * from 'exam-service-sdk'",
  'exam-service-sdk, the client': "export { ExamClient } from 'exam-service-sdk'",
  'exam-service-sdk/webhooks': "export * from 'exam-service-sdk/webhooks'",
  'exam-service-sdk/webhooks, the signature':
    "export { verifyWebhookSignature } from 'exam-service-sdk/webhooks'",
  'exam-service-sdk/testing, for Node': "export * from 'exam-service-sdk/testing'",
  'exam-service-sdk/testing/msw, without msw': "export * from 'exam-service-sdk/testing/msw'",
  ky: "export { default } from 'ky'",
  openai: "export { default } from 'openai'",
  stripe: "export { default } from 'stripe'",
  octokit: "export { Octokit } from '@octokit/core'",
  mistral: "export { Mistral } from '@mistralai/mistralai'",
};

/** Bytes of what a user's bundler makes, minified and gzipped; for a browser where nothing else is said. */
export async function measureBundles(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, contents] of Object.entries(bundles)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: name.endsWith('for Node') ? 'node' : 'browser',
      write: false,
      // An optional part of mistral, which an install does not bring; and the caller's own msw.
      external: ['@opentelemetry/api', 'msw'],
      logLevel: 'error',
    });
    sizes[name] = outputFiles.reduce(
      (sum, { contents: code }) => sum + gzipSync(code, { level: 9 }).length,
      0,
    );
  }
  return sizes;
}

/** Packages that an install brings, and the bytes that they take on the disk, by contender. */
export function measureInstall(): Record<string, Record<string, number>> {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, unpacked] = /"unpackedSize": (\d+)/.exec(output) ?? [];
  const { dependencies = {} } = readManifest(root);
  const report: Record<string, Record<string, number>> = {
    'exam-service-sdk': { packages: 1 + Object.keys(dependencies).length, bytes: Number(unpacked) },
  };
  for (const name of ['openai', 'stripe', '@octokit/core', '@mistralai/mistralai', 'ky']) {
    const folders = [...installed(name, import.meta.dirname)];
    report[name] = {
      packages: folders.length,
      bytes: folders.reduce((sum, folder) => sum + sizeOf(folder), 0),
    };
  }
  return report;
}

/** The folders of a package and of all that it depends on. */
function installed(name: string, from: string, found = new Set<string>()): Set<string> {
  const path = join('node_modules', name);
  const folder = existsSync(join(from, path)) ? join(from, path) : join(import.meta.dirname, path);
  if (found.has(folder)) return found;
  found.add(folder);
  for (const dependency of Object.keys(readManifest(folder).dependencies ?? {})) {
    installed(dependency, folder, found);
  }
  return found;
}

function readManifest(folder: string): { dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && !relative(folder, entry.parentPath).split(sep).includes('node_modules'),
    )
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Type-check of a file that only imports: seconds and megabytes as the compiler reports them. */
export function measureTypes(): Record<string, Record<string, number>> {
  const folder = mkdtempSync(join(import.meta.dirname, '.types-'));
  const report: Record<string, Record<string, number>> = {};
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  const compiler = [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...options.split(' '),
    '--extendedDiagnostics',
  ];
  try {
    for (const name of [
      'exam-service-sdk',
      'openai',
      'stripe',
      '@octokit/core',
      '@mistralai/mistralai',
      'ky',
    ]) {
      const file = join(folder, 'importing.ts');
      writeFileSync(
        file,
        `import * as imported from '${name}';\nexport const names = Object.keys(imported);\n`,
      );
      // Not every peer's own declarations compile; what that costs is told all the same.
      const { stdout } = spawnSync(process.execPath, [...compiler, file], { encoding: 'utf8' });
      const read = (label: string) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(stdout)?.[1]);
      report[name] = { seconds: read('Total time'), megabytes: read('Memory used') / 1_000 };
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return report;
}

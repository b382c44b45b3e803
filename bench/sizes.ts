import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

const bundles: Record<string, string> = {
  'exam-service-sdk': "export * from 'exam-service-sdk'",
  'exam-service-sdk, the client': "export { ExamClient } from 'exam-service-sdk'",
  'exam-service-sdk/webhooks': "export * from 'exam-service-sdk/webhooks'",
  'exam-service-sdk/webhooks, the signature':
    "export { verifyWebhookSignature } from 'exam-service-sdk/webhooks'",
  ky: "export { default } from 'ky'",
  openai: "export { default } from 'openai'",
  stripe: "export { default } from 'stripe'",
  octokit: "export { Octokit } from '@octokit/core'",
  mistral: "export { Mistral } from '@mistralai/mistralai'",
};

/** Bytes of what a user's bundler makes for a browser, minified and gzipped. */
export async function measureBundles(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, contents] of Object.entries(bundles)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      // An optional part of mistral, which an install does not bring.
      external: ['@opentelemetry/api'],
      logLevel: 'error',
    });
    sizes[name] = outputFiles.reduce(
      (sum, { contents: code }) => sum + gzipSync(code, { level: 9 }).length,
      0,
    );
  }
  return sizes;
}

/** What an install of the package puts on the disk. */
export function measureInstall(): Record<string, number> {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const packed: unknown = JSON.parse(output);
  const [report] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as [
    { size: number; unpackedSize: number },
  ];
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    packages: 1 + Object.keys(dependencies).length,
    'packed, bytes': report.size,
    'unpacked, bytes': report.unpackedSize,
  };
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

// Measures what the package and its peers add to a bundle for a browser.

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const entries = ['exam-service-sdk', 'exam-service-sdk/webhooks', 'exam-service-sdk/proxy'];

const imports: Readonly<Record<string, string>> = {
  'exam-service-sdk': "export * from 'exam-service-sdk'",
  'exam-service-sdk, the client': "export { ExamClient } from 'exam-service-sdk'",
  'exam-service-sdk/webhooks': "export * from 'exam-service-sdk/webhooks'",
  'exam-service-sdk/webhooks, the signature':
    "export { verifyWebhookSignature } from 'exam-service-sdk/webhooks'",
  'exam-service-sdk/proxy': "export * from 'exam-service-sdk/proxy'",
  ky: "export { default } from 'ky'",
  openai: "export { default } from 'openai'",
  stripe: "export { default } from 'stripe'",
  VERSION: "export { VERSION } from 'exam-service-sdk'",
};

/** Bytes of what a user's bundler makes of each import, minified and gzipped; each error class is imported by itself, too. */
export async function measureBundles(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, contents] of Object.entries({ ...imports, ...(await importsOfErrors()) })) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'error',
    });
    sizes[name] = outputFiles.reduce((sum, file) => sum + gzipSync(file.contents, { level: 9 }).length, 0);
  }
  return sizes;
}

async function importsOfErrors(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of entries) {
    for (const [name, value] of Object.entries(await import(entry))) {
      const isError = typeof value === 'function' && value.prototype instanceof Error;
      if (isError) found[name] ??= `export { ${name} } from '${entry}'`;
    }
  }
  return found;
}

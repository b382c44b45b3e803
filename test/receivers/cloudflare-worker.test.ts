import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, test, vi } from 'vitest';
import { completed } from '../webhooks/helpers.ts';
import { deliveries, refusedLines, secret } from './deliveries.ts';

/** The part of a KV namespace in use. */
interface Namespace {
  list(): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: 'json'): Promise<unknown>;
}

/** Bundles the Worker with the built package and runs it in workerd. */
async function startWorker(compatibilityFlags: string[]) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../examples/receivers/cloudflare-worker.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker'],
    write: false,
  });
  const lines: string[] = [];
  const miniflare = new Miniflare({
    modules: true,
    script: outputFiles.map(({ text }) => text).join(),
    compatibilityDate: '2026-07-01',
    compatibilityFlags,
    host: '127.0.0.1',
    cf: false,
    bindings: { EXAM_SERVICE_WEBHOOK_SECRET: secret },
    kvNamespaces: ['RESULTS'],
    handleStructuredLogs({ message }: { message: string }) {
      lines.push(message);
    },
  });
  return { miniflare, lines };
}

test.each([
  ['without compatibility flags', []],
  ['with Node compatibility', ['nodejs_compat']],
])('%s the Worker keeps the result of a signed delivery, and refuses all others', async (_, flags) => {
  const { miniflare, lines } = await startWorker(flags);
  try {
    for (const [kind, status, text, delivery] of deliveries()) {
      const response = await miniflare.dispatchFetch('http://worker.test/', {
        method: 'POST',
        ...delivery.toNodeParts(),
      });
      expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
    }
    const { RESULTS } = await miniflare.getBindings<{ RESULTS: Namespace }>();
    expect((await RESULTS.list()).keys.map(({ name }) => name)).toEqual(['result:7']);
    expect(await RESULTS.get('result:7', 'json')).toEqual(completed.data);
    await vi.waitUntil(() => lines.length >= refusedLines.length, { timeout: 60_000 });
    expect(lines).toEqual(refusedLines);
  } finally {
    await miniflare.dispose();
  }
});

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../console/browser.ts';

describe('the recipe for Vitest in Node', async () => {
  await import('../../examples/testing/node.test.ts');
});

const fromHere = (path: string) => new URL(path, import.meta.url).pathname;

/** The recipe for browsers as a script, with everything that it needs. */
async function bundleRecipe(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import '../../examples/testing/browser.test.ts';
        import { runTests } from 'vitest';
        globalThis.outcome = runTests();`,
      resolveDir: fromHere('.'),
    },
    alias: { vitest: fromHere('vitest-in-page.ts') },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    logLevel: 'silent',
    // The package says of itself that importing has no effects, which does not hold for its tests.
    ignoreAnnotations: true,
  });
  return outputFiles[0]?.text ?? '';
}

test.skipIf(!hasBrowser)('the recipe for Vitest in a browser', async () => {
  const files: Record<string, string> = {
    '/': '<!DOCTYPE html><script src="/recipe.js"></script>',
    '/recipe.js': await bundleRecipe(),
    '/mockServiceWorker.js': await readFile(
      fromHere('../../node_modules/msw/lib/mockServiceWorker.js'),
      'utf8',
    ),
  };
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(files[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await using launched = await launchBrowser();
  try {
    const page = await launched.browser.newPage();
    await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
    expect(await page.evaluate('outcome')).toEqual({
      'a participant who is registered is shown the way': 'passed',
      'anybody else sees that they are not registered': 'passed',
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

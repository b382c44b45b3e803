import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../console/browser.ts';
import { startServer } from '../../helpers/server.ts';
import type { Symptoms } from './symptom.ts';

const built = fileURLToPath(new URL('../../../dist', import.meta.url));

const pageWith = (options: object) => `<script type="module">
  import { ExamClient } from '/index.js';
  try {
    await new ExamClient(${JSON.stringify({ maxRetries: 0, ...options })}).exams.list();
    document.title = 'no failure';
  } catch (error) {
    document.title = String(error);
  }
</script>`;

/** What a page sees that calls a service of another origin, which has never heard of CORS. */
async function failureInPage(apiKey: string | null): Promise<string> {
  await using service = await startServer({ body: { data: [] } });
  await using site = await startServer(async ({ path }) =>
    path.endsWith('.js')
      ? { headers: { 'Content-Type': 'text/javascript' }, body: await readFile(built + path, 'utf8') }
      : { headers: { 'Content-Type': 'text/html' }, body: pageWith({ baseUrl: service.url, apiKey }) },
  );
  await using launched = await launchBrowser();
  const page = await launched.browser.newPage();
  await page.goto(site.origin);
  await page.waitForFunction('document.title');
  return await page.title();
}

export const pageSymptoms: Symptoms = {
  'every visitor can read the API key': () => failureInPage('key'),
  'Failed to fetch': () => failureInPage(null),
};

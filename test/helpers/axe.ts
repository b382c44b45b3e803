import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page at these widths (in px), light and dark, as "width, colours: rule: element". */
export async function findings(page: Page, widths: readonly number[] = [1280, 390]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The rules that do not look at colours find the same again.
      const inPage = await findingsNow(
        page,
        colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined,
      );
      found.push(...inPage.map((finding) => `${width}, ${colorScheme}: ${finding}`));
    }
  }
  return found;
}

/** With what it finds in the frames of the page. */
async function findingsNow(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const frame of page.frames()) {
    // Half a megabyte, which a frame keeps.
    if (!(await frame.evaluate(`'axe' in window`))) await frame.evaluate(axe);
    const violations = await frame.evaluate(async (only) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const runOnly = only && { type: 'rule' as const, values: [...only] };
      const options = { resultTypes: ['violations' as const], iframes: false };
      return (await axe.run(document, runOnly ? { ...options, runOnly } : options)).violations;
    }, rules);
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }
  return found;
}

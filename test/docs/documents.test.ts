import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const texts = globSync(['docs/*.md', 'examples/**/README.md'], { cwd: root });

describe('the documents', () => {
  test.each(texts)('%s links to files that are there', async (path) => {
    const text = await readFile(join(root, path), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    expect(targets).not.toEqual([]);
    for (const target of targets) await stat(join(root, dirname(path), target));
  });

  test('import only what the package exports', async () => {
    const exported = await readFile(join(root, 'src/index.ts'), 'utf8');
    const all = await Promise.all(texts.map((path) => readFile(join(root, path), 'utf8')));
    const imports = [...all.join('\n').matchAll(/^import \{ (.+) \} from 'exam-service-sdk';$/gm)];
    const names = imports.flatMap(([, list = '']) => list.split(', '));
    expect(names).toContain('ExamClient');
    for (const name of names) expect(exported).toMatch(new RegExp(`\\b${name.replace('type ', '')}\\b`));
  });

  test('calculate the time of a campaign right', async () => {
    const text = await readFile(join(root, 'docs/scale.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| (\d+) \| (\d+|none) \| (\d+) \| (\d+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [row, latency, atOnce, limit, perSecond, minutes] of rows) {
      const cap = limit === 'none' ? Number.POSITIVE_INFINITY : Number(limit);
      const speed = Math.min(cap, (Number(atOnce) * 1_000) / Number(latency));
      expect([Math.round(speed), Math.round(200_000 / speed / 60)], row).toEqual([
        Number(perSecond),
        Number(minutes),
      ]);
    }
  });
});

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents } from './documents.ts';
import { repository } from './new-user.ts';

const linkPattern = /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g;

/** Columns of code for which the site has room. */
const widest = 88;

/** The anchors of a text's headings, as they are made of them on the web. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  test.each(documents)('$name links to files and sections that are there', async ({ name, text }) => {
    const prose = text.replaceAll(/^```.*?^```$/gms, '');
    for (const [link, path = '', anchor] of prose.matchAll(linkPattern)) {
      const target = join(repository, path === '' ? name : join(dirname(name), path));
      await stat(target);
      if (anchor !== undefined) expect(anchorsOf(await readFile(target, 'utf8')), link).toContain(anchor);
    }
  });

  test.each(documents)('$name shows no code that runs out of its page', ({ text }) => {
    const blocks = [...text.matchAll(/^```(?:ts|typescript|js|jsx|tsx|sh)\n(.*?)^```$/gms)];
    const lines = blocks.flatMap(([, code = '']) => code.split('\n'));
    expect(lines.filter((line) => line.length > widest)).toEqual([]);
  });

  test('import only what the package exports', async () => {
    const files = ['src/index.ts', 'src/errors.ts'].map((path) => readFile(join(repository, path), 'utf8'));
    const entry = (await Promise.all(files)).join('\n');
    const declared = [...entry.matchAll(/^export (?:const|type) (\w+)/gm)].map(([, name = '']) => name);
    const exported = [...entry.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(','))
      .concat(declared)
      .map((each) =>
        each
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1),
      );
    const all = documents.map(({ text }) => text).join('\n');
    const imports = [...all.matchAll(/^import \{ (.+) \} from 'exam-service-sdk';$/gm)];
    const names = imports.flatMap(([, list = '']) => list.split(', '));
    expect(names).toContain('ExamClient');
    for (const name of names) {
      const [original = ''] = name.replace('type ', '').split(' as ');
      expect(exported).toContain(original);
    }
  });

  test('calculate the time of a campaign right', async () => {
    const text = await readFile(join(repository, 'docs/large-jobs.md'), 'utf8');
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readme } from './documents.ts';
import { repository } from './new-user.ts';

describe('the README', () => {
  it('is short', () => {
    expect(readme.text.trimEnd().split('\n').length).toBeLessThanOrEqual(300);
  });

  it('names every error class and every option of the client', async () => {
    const errors = await import('../../src/index.ts');
    for (const [name, value] of Object.entries(errors)) {
      if (typeof value !== 'function' || !(value.prototype instanceof Error)) continue;
      if (name !== 'ExamServiceError') expect(readme.text).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
    }
    const options = await readFile(join(repository, 'src/core/options.ts'), 'utf8');
    const client = /interface ClientOptions.*?\n\}/s.exec(options)?.[0] ?? '';
    for (const [, name] of client.matchAll(/^ {2}readonly (\w+)\?/gm))
      expect(readme.text).toContain(`\`${name}\``);
  });
});

import { describe, expect, test } from 'vitest';
import { withoutVersions } from '../runtimes/lib/report.ts';

const tables = '| Node 24.21.0, import | ✓ | ✓ |\n| Bun 1.4.5 | ✓ | ✓ |\n';

describe('the tables of docs/compatibility.md are current', () => {
  test('where a runtime was only updated', () => {
    const updated = tables.replace('24.21.0', '24.22.1').replace('1.4.5', '1.4.10');
    expect(withoutVersions(updated)).toBe(withoutVersions(tables));
  });

  test.each([
    ['a runtime is new', `${tables}| Deno 2.9.5 | ✓ | ✓ |\n`],
    ['a check is new', tables.replaceAll(' ✓ |\n', ' ✓ | ✓ |\n')],
    ['a check fails', tables.replace('✓', '✗')],
  ])('not where %s', (_, changed) => {
    expect(withoutVersions(changed)).not.toBe(withoutVersions(tables));
  });
});

import { describe, expect, test } from 'vitest';
import { claims } from '../../src/cli/verify/claims/claims.ts';
import { styles } from '../emulator/client-service.ts';
import { key, personal, startFilled, verify } from './verify-helpers.ts';

const idsBy = (...means: string[]) =>
  Object.entries(claims).flatMap(([id, { by }]) => (means.includes(by) ? [id] : []));

describe.each(styles)('a service of the style %s', (style) => {
  test('confirms every claim that is decided by reading, and nothing is changed in it', async () => {
    await using service = await startFilled(style);
    const before = service.emulator.snapshot();
    const { code, report, contradicted, undecided, stderr, written } = await verify(service.url);
    expect(stderr).toBe('');
    expect({ contradicted, undecided, code }).toEqual({ contradicted: [], undecided: [], code: 0 });
    expect(report.claims.map(({ id }) => id)).toEqual(idsBy('read'));
    expect(new Set(service.emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(service.emulator.snapshot()).toEqual(before);
    for (const secret of [key, ...personal]) expect(written).not.toContain(secret);
  });

  test('confirms the others in a run that writes and receives, which leaves no endpoint behind', async () => {
    await using service = await startFilled(style);
    const { code, report, contradicted, undecided, stderr, written } = await verify(
      service.url,
      '--write',
      '--listen',
      '0',
    );
    expect(stderr).toBe('');
    expect({ contradicted, undecided, code }).toEqual({ contradicted: [], undecided: [], code: 0 });
    expect(report.claims.map(({ id }) => id)).toEqual(idsBy('read', 'write', 'delivery'));
    expect(service.emulator.snapshot()).toMatchObject({ endpoints: [] });
    for (const secret of [key, 'whsec_', ...personal]) expect(written).not.toContain(secret);
  });
});

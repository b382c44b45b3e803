import { describe, expect, test } from 'vitest';
import { at, fieldErrors, startService } from './helpers.ts';

const ana = { email: 'ana@example.test', name: 'Ana', password: 'secret-1' };
const budi = { email: 'budi@example.test', name: 'Budi', password: 'secret-2' };

function importing(...participants: unknown[]) {
  return { body: { participants } };
}

describe('POST /participants/import', () => {
  test.each([
    ['case', 'Ana@Example.TEST', 'ana@example.test'],
    ['the form of its accents', 'zoe\u0308@example.test', 'zo\u00EB@example.test'],
    ['case beyond ASCII', 'ZO\u00CB@example.test', 'zoe\u0308@example.test'],
  ])('an email that differs in %s is that of the same participant', async (_in, first, second) => {
    await using service = await startService({ maxParticipants: 1 });
    await service.call('POST', '/participants/import', importing({ ...ana, email: first }));
    const again = await service.call(
      'POST',
      '/participants/import',
      importing({ ...ana, email: second, name: 'Ana P.' }, { ...ana, email: first.toUpperCase() }),
    );
    expect(at(again.json, 'data')).toEqual({ created: 0, updated: 2 });
    expect(service.emulator.snapshot().participants).toMatchObject([{ id: 1, email: first, name: ana.name }]);
    expect(() => service.emulator.control.seedParticipants([{ email: second }])).toThrow(RangeError);
  });

  test('shows no password', async () => {
    await using service = await startService();
    const imported = await service.call('POST', '/participants/import', importing(ana));
    const read = await service.call('GET', '/participants/1');
    expect(imported.text + read.text).not.toContain(ana.password);
  });

  test('names every wrong field by its place, and imports nothing', async () => {
    await using service = await startService();
    const response = await service.call(
      'POST',
      '/participants/import',
      importing({ email: 'nope', name: ' ', password: 5 }, ana, { email: null, name: 'N' }),
    );
    expect(response.status).toBe(422);
    expect(fieldErrors(response)).toEqual({
      'participants.0.email': ['The participants.0.email field must be a valid email address.'],
      'participants.0.name': ['The participants.0.name field is required.'],
      'participants.0.password': ['The participants.0.password field must be a string.'],
      'participants.2.email': ['The participants.2.email field is required.'],
      'participants.2.password': ['The participants.2.password field is required.'],
    });
    expect(service.emulator.control.participant(1)).toBeUndefined();
  });

  test('responds with 400 where there would be too many, and imports nothing', async () => {
    await using service = await startService({ maxParticipants: 2 });
    await service.call('POST', '/participants/import', importing(ana));
    const rejected = await service.call(
      'POST',
      '/participants/import',
      importing(budi, { ...budi, email: 'c@example.test' }),
    );
    expect(rejected).toMatchObject({
      status: 400,
      json: { message: 'Total participants exceed the limit of 2.' },
    });
    expect(service.emulator.control.participant(2)).toBeUndefined();
    const accepted = await service.call('POST', '/participants/import', importing(ana, budi));
    expect(accepted.status).toBe(201);
  });

  test('the options say in which state an imported participant is', async () => {
    await using service = await startService({
      importedParticipants: { active: undefined, verified: false },
    });
    await service.call('POST', '/participants/import', importing(ana));
    expect(service.emulator.control.participant(1)).toMatchObject({
      is_active: true,
      email_verified_at: null,
    });
  });
});

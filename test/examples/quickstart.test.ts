import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { outputOf, runExample } from './helpers.ts';

describe('the quickstart', () => {
  it('does the whole job against its own emulator', async () => {
    const output = await outputOf('quickstart.ts');
    expect(output).toMatch(
      /^Service: http:\/\/\S+ \(an emulator on this machine\)\nImports participants from a file, assigns them/,
    );
    expect(output).toContain('examples/quickstart.ts');
    expect(output).toContain('Imported 194 of 200');
    expect(output.match(/line \d+ rejected: .+/g)).toEqual([
      'line 18 rejected: email must not be empty',
      'line 43 rejected: name must not be empty',
      'line 79 rejected: password must not be empty',
      'line 120 rejected: email: The email field must be a valid email address.',
      'line 152 rejected: password is required',
      'line 185 rejected: email: The email field must be a valid email address.',
    ]);
    expect(output).toContain('Assigned 193 of 194');
    expect(output).toMatch(/the first link: https:\/\/\S+/);
    expect(output.match(/no exam for \S.*: was not imported/g)).toHaveLength(5);
    expect(output).toMatch(
      /no exam for samir\.ueda@example\.com: .* failed with 400: .*email is not verified/,
    );
    expect(output).toContain('Verified deliveries: 25');
    expect(output).toContain('Results: 25 on 3 pages');
    expect(output).toContain('Lena Adeyemi');
  });

  longTest('works with the service that the environment names, and can be run again', async () => {
    const emulator = createEmulator({ apiKey: 'a-key-of-its-own' });
    emulator.control.seedExams(1);
    const server = await emulator.listen();
    try {
      const environment = { EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: 'a-key-of-its-own' };
      const first = await outputOf('quickstart.ts', environment, '--test-project');
      expect(first.split('\n')[0]).toBe(`Service: ${server.url}`);
      expect(first).toContain('Assigned 194 of 194');
      expect(first).toContain('Verified deliveries: 1');
      const second = await outputOf('quickstart.ts', environment, '--test-project');
      expect(second).toContain('Imported 194 of 200');
      expect(second).toContain('Assigned 194 of 194');
      expect(/the first link: .*/.exec(second)?.[0]).toBe(/the first link: .*/.exec(first)?.[0]);
      const endpoints = await emulator.fetch(`${server.url}/webhooks`, {
        headers: { authorization: 'Bearer a-key-of-its-own' },
      });
      expect((await endpoints.json()).data).toEqual([]);
    } finally {
      await server.close();
    }
  });

  const address = 'http://127.0.0.1:1/api/v1';
  longTest.each([
    ['of which it has no key', { EXAM_SERVICE_API_KEY: '' }, 'EXAM_SERVICE_API_KEY is missing: '],
    ['without its address', { EXAM_SERVICE_BASE_URL: '' }, 'EXAM_SERVICE_BASE_URL is missing: '],
    ['without --test-project', {}, `--test-project is missing: this changes data of ${address}.`],
  ])('writes nothing to a service %s, and starts no emulator in its place', async (_kind, more, words) => {
    for (const name of ['quickstart.ts', 'observability.ts']) {
      const { code, stdout, stderr } = await runExample(name, [], address, more);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.startsWith(words)).toBe(true);
    }
  });
});

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

const answered = `
const emulator = createEmulator();
emulator.control.seedExams(3);
const server = setupServer(...createMswHandlers(emulator));
server.listen();
fetch('https://exams.example.com/api/v1/exams/2', { headers: { 'x-client-key': 'test-key' } })
  .then((answer) => answer.json())
  .then(({ data }) => { console.log(data.id); server.close(); });`;

describe('createMswHandlers of the testing entry, as built', () => {
  test.each([
    [
      'module',
      `import { setupServer } from 'msw/node'; import { createEmulator, createMswHandlers } from 'exam-service-sdk/testing';`,
    ],
    [
      'commonjs',
      `const { setupServer } = require('msw/node'); const { createEmulator, createMswHandlers } = require('exam-service-sdk/testing');`,
    ],
  ])('answers through msw in a %s', async (type, imports) => {
    const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', imports + answered], {
      cwd: root,
    });
    expect(stdout).toBe('2\n');
  });

  test('says what to do where msw is not installed', async () => {
    const entry = JSON.stringify(`${root}dist/testing.js`);
    const code = `import { createEmulator, createMswHandlers } from ${entry};
      try { createMswHandlers(createEmulator()); } catch (error) { console.log(error.message); }`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: tmpdir(),
    });
    expect(stdout).toContain('npm install --save-dev msw');
  });
});

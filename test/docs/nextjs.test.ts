import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { documents } from './documents.ts';
import { itself, NewUser } from './new-user.ts';

const user = new NewUser();
beforeAll(async () => {
  await user.link([itself]);
  await write('client.mjs', 'docs/react.md', 'new ExamClient');
  const imports = `import { createWebhookHandler } from 'exam-service-sdk/webhooks';\n`;
  await write('route.mjs', 'docs/webhooks.md', 'function POST', imports);
});
afterAll(() => user[Symbol.asyncDispose]());

/** Writes the module of a document that holds this. */
async function write(file: string, from: string, holding: string, imports = ''): Promise<void> {
  const document = documents.find(({ name }) => name === from);
  await writeFile(join(user.folder, file), imports + document?.block('js', holding));
}

const nothing = { EXAM_SERVICE_BASE_URL: '', EXAM_SERVICE_API_KEY: '', EXAM_SERVICE_WEBHOOK_SECRET: '' };

test.each([
  ['client', 'examClient'],
  ['route', 'POST'],
])('the module with the %s loads without URL, key and secret, as in a build', async (name, exported) => {
  const code = `console.log(typeof (await import('./${name}.mjs')).${exported});`;
  expect(await user.node(['--input-type=module', '--eval', code], nothing)).toBe('function\n');
});

test('all requests share one client', async () => {
  await using server = await createEmulator({ apiKey: 'test-key' }).listen();
  const env = { EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: 'test-key' };
  const code = `import { examClient } from './client.mjs';
    console.log(examClient() === examClient(), (await examClient().exams.list()).total);`;
  expect(await user.node(['--input-type=module', '--eval', code], env)).toBe('true 0\n');
});

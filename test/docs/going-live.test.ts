import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preludeOf } from '../../scripts/site/snippets.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { createWebhookHandler, toNodeListener } from '../../src/webhooks/index.ts';
import { documents, readme } from './documents.ts';
import { itself, NewUser } from './new-user.ts';

const user = new NewUser();
beforeAll(() => user.link([itself]));
afterAll(() => user[Symbol.asyncDispose]());

test('the rehearsal keeps the secret before anything uses it, and then the receiver accepts the sample event', async () => {
  const { text = '', snippets = [] } = documents.find(({ name }) => name === 'docs/going-live.md') ?? {};
  const [rehearsal = '', delivery = ''] = snippets.map(({ code }) => code);
  const [shown = '', shownLater = ''] = snippets.map(({ output }) => output);
  const emulator = createEmulator({ apiKey: 'test-key' });
  emulator.control.seedExams(2);
  await using service = await emulator.listen();

  // The receiver runs before it has the secret.
  let receive: ReturnType<typeof toNodeListener> | undefined;
  const statuses: number[] = [];
  const receiver = createServer((request, response) => {
    response.on('finish', () => statuses.push(response.statusCode));
    if (receive) receive(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;

  const file = join(user.folder, 'first-call.mjs');
  const kept = join(user.folder, 'webhook-secret.txt');
  const run = async (code: string) => {
    const program = `${preludeOf(text, readme.text)}\n${code}`
      .replace(/http:\/\/127[^']+/, service.url)
      .replace(/https:\/\/receiver[^']+/, url);
    await writeFile(file, program);
    return user.node([file]);
  };

  expect(await run(rehearsal)).toBe(shown);
  const secret = await readFile(kept, 'utf8');
  expect(statuses).toEqual([]);
  receive = toNodeListener(createWebhookHandler({ secret, on: { 'exam_result.completed': () => {} } }));
  await rm(kept);

  expect(await run(`${rehearsal}\n${delivery}`)).toBe(shown + shownLater);
  await emulator.settled();
  expect(statuses).toEqual([204]);
  expect(existsSync(kept)).toBe(false);
  expect(emulator.snapshot().participants).toHaveLength(1);
  receiver.closeAllConnections();
  receiver.close();
});

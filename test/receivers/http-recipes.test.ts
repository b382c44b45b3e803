import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { createGate } from '../helpers/gate.ts';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { completed } from '../webhooks/helpers.ts';
import {
  body,
  createInvalidFolder,
  deliveries,
  handledLine,
  rejectedLines,
  secret,
  send,
} from './deliveries.ts';
import { startRecipe } from './recipe.ts';

// Node runs no decorators, so the one for NestJS is compiled first.
const frameworks = ['express', 'fastify', 'hono', 'frameworks/koa', 'frameworks/out/frameworks/nestjs.js'];
const recipes = ['node-http', ...frameworks];

test.each(recipes)(
  'the recipe for %s handles signed deliveries alone, and keeps one that is not as documented',
  async (name) => {
    await using invalid = await createInvalidFolder();
    await using recipe = await startRecipe(name, { INVALID_DIR: invalid.path });
    const sent = deliveries();
    for (const [kind, status, text, delivery] of sent) {
      expect(await send(recipe.url, delivery), kind).toEqual({ status, text });
    }
    await invalid.expectKept(sent);
    expect(await recipe.stop()).toBe(0);
    expect(recipe.output).toEqual([`Listening on ${recipe.url}`, handledLine]);
    expect(recipe.errors).toEqual(rejectedLines);
  },
);

longTest.each(recipes)('the recipe for %s does not start without a secret', async (name) => {
  await expect(startRecipe(name, { EXAM_SERVICE_WEBHOOK_SECRET: '' })).rejects.toThrow(
    'ConfigurationError: `secret` is missing',
  );
});

longTest.each(recipes)('the recipe for %s names a port that is taken', async (name) => {
  await using recipe = await startRecipe('node-http');
  const { port } = new URL(recipe.url);
  await expect(startRecipe(name, { PORT: port })).rejects.toThrow(
    `EADDRINUSE: address already in use 127.0.0.1:${port}`,
  );
});

longTest.each(frameworks)('in the recipe for %s other routes get parsed bodies', async (name) => {
  await using recipe = await startRecipe(name);
  const response = await fetch(new URL('/exams', recipe.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Mathematics"}',
  });
  expect(await response.json()).toEqual({ ordered: 'Mathematics' });
});

longTest(
  'the recipe for NestJS takes deliveries of 500 kB, and logs those that its parser rejects',
  async () => {
    await using recipe = await startRecipe('frameworks/out/frameworks/nestjs.js');
    const sized = (length: number) => {
      const note = 'x'.repeat(length);
      return signedWebhook({
        body: JSON.stringify({ ...completed, data: { ...completed.data, note } }),
        secret,
      });
    };
    expect((await send(recipe.url, sized(500_000))).status).toBe(204);
    expect((await send(recipe.url, sized(1_100_000))).status).toBe(413);
    await recipe.stop();
    expect(recipe.errors).toEqual(['Rejected before the receiver: /webhooks: request entity too large']);
  },
);

longTest(
  'the recipe for fastify gives up what it does for a sender that has hung up, and handles the retry',
  async () => {
    const givenUp = createGate();
    const sender = new AbortController();
    await using service = await startServer(async (_, { number, left }) => {
      if (number > 1) return {};
      sender.abort();
      await left;
      givenUp.open();
      return undefined;
    });
    await using recipe = await startRecipe('fastify', { FORWARD_URL: service.url });
    const delivery = signedWebhook({ body, secret });
    await expect(send(recipe.url, delivery, sender.signal)).rejects.toThrow('aborted');
    await givenUp.promise;
    expect(await send(recipe.url, delivery)).toEqual({ status: 204, text: '' });
    await recipe.stop();
    expect(recipe.output).toEqual([`Listening on ${recipe.url}`, handledLine]);
    expect(recipe.errors[0]).toMatch(/^Not handled, .*AbortError/);
    expect(service.requests.map(({ body: forwarded }) => forwarded)).toEqual([
      completed.data,
      completed.data,
    ]);
  },
);

longTest(
  'the recipe for node-http handles a repeated delivery once, also when it is signed again',
  async () => {
    await using recipe = await startRecipe('node-http');
    const timestamp = Math.floor(Date.now() / 1000) - 60;
    for (const delivery of [signedWebhook({ body, secret, timestamp }), signedWebhook({ body, secret })]) {
      expect(await send(recipe.url, delivery)).toEqual({ status: 204, text: '' });
    }
    await recipe.stop();
    expect(recipe.output.filter((line) => line === handledLine)).toHaveLength(1);
  },
);

test('send-delivery sends a delivery that a recipe handles', async () => {
  await using recipe = await startRecipe('node-http');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['examples/receivers/send-delivery.ts', recipe.url],
    {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { ...process.env, EXAM_SERVICE_WEBHOOK_SECRET: secret },
    },
  );
  expect(stdout.trim()).toBe('204');
  await recipe.stop();
  expect(recipe.output).toContain('Ana Putri finished Mathematics, first term: 87.5');
});

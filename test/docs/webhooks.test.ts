import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents } from './documents.ts';
import { itself, NewUser, repository } from './new-user.ts';

const document = documents.find(({ name }) => name === 'docs/webhooks.md');
const user = new NewUser();
const recipes = join(repository, 'examples/receivers/frameworks/node_modules');
beforeAll(async () => {
  await user.link([itself, 'express', 'fastify', 'hono']);
  for (const name of ['@nestjs', 'reflect-metadata'])
    await symlink(join(recipes, name), join(user.folder, 'node_modules', name));
});
afterAll(() => user[Symbol.asyncDispose]());

/** Sends what is delivered to a port, as the service does. */
const post = `async (port, request) =>
  fetch('http://127.0.0.1:' + port + '/webhooks', {
    method: 'POST', headers: request.headers, body: await request.arrayBuffer(),
  })`;

/** What stands around the block of a framework: the application before it, and after it `respond`. */
const frameworks = {
  Express: {
    holding: 'express.json()',
    before: `import express from 'express';`,
    after: `const server = app.listen(0);
      const respond = (request) => (${post})(server.address().port, request);`,
  },
  Fastify: {
    holding: 'hijack',
    before: `import { fastify } from 'fastify'; const app = fastify();`,
    after: `await app.listen({ port: 0, host: '127.0.0.1' });
      const respond = (request) => (${post})(app.server.address().port, request);`,
  },
  Hono: {
    holding: 'req.raw',
    before: `import { Hono } from 'hono'; const app = new Hono();`,
    after: 'const respond = (request) => app.request("/webhooks", request);',
  },
  NestJS: {
    holding: '@Controller',
    before: `import 'reflect-metadata';
      import { Controller, Module, Post, Req, Res } from '@nestjs/common';
      import { NestFactory } from '@nestjs/core';`,
    after: `@Module({ controllers: [WebhooksController] })
      class AppModule {}
      const app = await ${/NestFactory\.create\(.*?\)/.exec(document?.text ?? '')?.[0].replace(' }', ', logger: false }')};
      await app.listen(0, '127.0.0.1');
      const respond = (request) => (${post})(app.getHttpServer().address().port, request);`,
  },
  'Next.js': { holding: 'POST(', before: '', after: 'const respond = POST;' },
  Lambda: {
    holding: 'lambda(',
    before: '',
    after: `const respond = async (request) => {
      const body = Buffer.from(await request.arrayBuffer()).toString('base64');
      const headers = Object.fromEntries(request.headers);
      const { statusCode } = await lambda({ headers, body, isBase64Encoded: true });
      return { status: statusCode };
    };`,
  },
};

test.each(Object.entries(frameworks))(
  'the lines for %s receive what is signed and reject the rest',
  async (name, { holding, before, after }) => {
    const block = document?.block('(?:js|typescript)', holding) ?? '';
    const on = `{ 'exam_result.completed': ({ data }) => console.log(data.score) }`;
    // That of Next.js creates its own.
    const handler = block.includes('let handler')
      ? ''
      : 'const handler = createWebhookHandler({ on, onInvalid });';
    const program = `import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
      import { signedWebhook } from 'exam-service-sdk/testing';
      ${before}
      const on = ${on};
      const onInvalid = () => {};
      ${handler}
      ${block}
      ${after}
      for (const secret of ['whsec_demo', 'whsec_other']) {
        const delivery = signedWebhook({ secret, event: 'exam_result.completed' });
        console.log((await respond(delivery.toRequest())).status);
      }
      process.exit();`;
    const file = `${name.replace('.', '-')}.mjs`;
    // Node runs no decorators.
    const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    const compilerOptions = { ...target, experimentalDecorators: true };
    await writeFile(join(user.folder, file), ts.transpileModule(program, { compilerOptions }).outputText);
    const printed = await user.node([file], { EXAM_SERVICE_WEBHOOK_SECRET: 'whsec_demo' });
    expect(printed).toMatch(/^87\.5\n204\n400\n/);
    expect(printed).toContain('signature_mismatch');
  },
);

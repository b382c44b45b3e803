import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';

/** Which hosts a listening emulator answers: its console, its control interface and the service alike. */

async function ask(
  path: string,
  headers: Record<string, string>,
  listen: { host?: string; allowHosts?: readonly string[] } = {},
): Promise<{ status: number | undefined; type: string | undefined; text: string }> {
  const emulator = createEmulator();
  emulator.control.seedExams(1);
  await using server = await emulator.listen(listen);
  const { port } = server;
  const all = { 'X-Client-Key': 'test-key', 'X-Emulator-Control': '1', ...headers };
  return await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: all }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, type: response.headers['content-type'], text });
    })
      .on('error', reject)
      .end();
  });
}

const paths = ['/', '/__emulator/clock', '/api/v1/exams/1'];

describe.each(paths)('%s', (path) => {
  test.each(['emulator:4710', 'host.docker.internal:4710', 'rebound.example.test'])(
    'answers 403 to the host %s, and names the option that allows it',
    async (host) => {
      const { status, type, text } = await ask(path, { host });
      const [name = ''] = host.split(':');
      const message = path === '/' ? text : JSON.parse(text).message;
      expect(status).toBe(403);
      expect(type).toMatch(path === '/' ? 'text/plain' : 'application/json');
      expect(message).toBe(
        `The emulator does not answer requests for ${name}: start it with --allow-host ${name} ` +
          '(allowHosts in code), or use localhost or an IP address.',
      );
    },
  );

  test.each(['emulator:4710', 'EMULATOR', 'host.docker.internal'])(
    'answers the allowed host %s',
    async (host) => {
      const allowHosts = ['emulator', 'Host.Docker.Internal:4710'];
      expect((await ask(path, { host }, { allowHosts })).status).toBe(200);
    },
  );

  test.each(['localhost:80', 'app.localhost', '127.0.0.1', '192.168.1.20:4710', '[::1]:4710'])(
    'answers %s without being asked to',
    async (host) => {
      expect((await ask(path, { host })).status).toBe(200);
    },
  );
});

test('a host is answered by the name that it listens on, however that is written', async () => {
  const { status } = await ask('/api/v1/exams/1', { host: 'localhost' }, { host: 'LOCALHOST' });
  expect(status).toBe(200);
});

describe('a web page', () => {
  test.each(['https://hostile.example.test', 'null'])(
    'of %s is not answered by the service',
    async (Origin) => {
      const { status, text } = await ask('/api/v1/exams/1', { Origin });
      expect(status).toBe(403);
      expect(JSON.parse(text).message).toContain(`The emulator does not answer web pages of ${Origin}`);
    },
  );

  test.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'https://app.example.test'])(
    'of %s is',
    async (Origin) => {
      const { status } = await ask('/api/v1/exams/1', { Origin }, { allowHosts: ['app.example.test'] });
      expect(status).toBe(200);
    },
  );
});

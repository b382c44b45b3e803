import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';

/** Which hosts a listening emulator serves: its console, its control interface and the service alike. */

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
    'responds with 403 to the host %s, and names the option that allows it',
    async (host) => {
      const { status, type, text } = await ask(path, { host });
      const [name = ''] = host.split(':');
      const message = path === '/' ? text : JSON.parse(text).message;
      expect(status).toBe(403);
      expect(type).toMatch(path === '/' ? 'text/plain' : 'application/json');
      expect(message).toBe(
        `The emulator does not accept requests for ${name}: start it with --allow-host ${name} ` +
          '(allowHosts in code), or use localhost or an IP address.',
      );
    },
  );

  test.each(['emulator:4710', 'EMULATOR', 'host.docker.internal'])(
    'serves the allowed host %s',
    async (host) => {
      const allowHosts = ['emulator', 'Host.Docker.Internal:4710'];
      expect((await ask(path, { host }, { allowHosts })).status).toBe(200);
    },
  );

  test.each(['localhost:80', 'app.localhost', '127.0.0.1', '192.168.1.20:4710', '[::1]:4710'])(
    'serves %s without being asked to',
    async (host) => {
      expect((await ask(path, { host })).status).toBe(200);
    },
  );
});

test('a host is served by the name that it listens on, however that is written', async () => {
  const { status } = await ask('/api/v1/exams/1', { host: 'localhost' }, { host: 'LOCALHOST' });
  expect(status).toBe(200);
});

describe('a web page', () => {
  test.each([
    'https://hostile.example.test',
    'http://203.0.113.5',
    'http://192.168.1.20:8080',
    'http://[2001:db8::5]',
    'http://127.0.0.1.hostile.example.test',
    'null',
  ])('of %s is not served, neither by the service nor by the control interface', async (Origin) => {
    for (const path of paths) {
      const { status, text } = await ask(path, { Origin });
      expect(status).toBe(403);
      const message = path === '/' ? text : JSON.parse(text).message;
      expect(message).toContain(`The emulator does not accept requests from web pages of ${Origin}`);
    }
  });

  test('of a file has no name to allow', async () => {
    const { text } = await ask('/api/v1/exams/1', { Origin: 'null' });
    expect(text).not.toContain('--allow-host');
    expect(text).toContain('localhost');
  });

  test.each(['http://203.0.113.5', 'http://[2001:db8::5]'])('of %s names the option', async (Origin) => {
    const { text } = await ask('/api/v1/exams/1', { Origin });
    expect(text).toContain(`--allow-host ${new URL(Origin).hostname} `);
  });

  test.each([
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://127.0.1.1',
    'http://[::1]:5173',
    'https://app.example.test',
    'http://203.0.113.5:5173',
  ])('of %s is served by the service', async (Origin) => {
    const allowHosts = ['app.example.test', '203.0.113.5'];
    const { status } = await ask('/api/v1/exams/1', { Origin }, { allowHosts });
    expect(status).toBe(200);
  });

  test('of the emulator itself is served at every address that it has', async () => {
    for (const host of ['192.168.1.20:4710', '[2001:db8::7]:4710']) {
      const { status } = await ask('/api/v1/exams/1', { host, Origin: `http://${host}` });
      expect(status).toBe(200);
    }
  });
});

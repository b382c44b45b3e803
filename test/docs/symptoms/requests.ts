import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createProxyHandler } from '../../../src/proxy/index.ts';
import { createClient, testKey } from '../../helpers/client.ts';
import { startServer, unusedUrl } from '../../helpers/server.ts';
import { failureOf, type Symptoms, withService } from './symptom.ts';

const list = (client: ReturnType<typeof createClient>) => client.exams.list();

export const requestSymptoms: Symptoms = {
  'failed with 401': () => withService(list, { given: { apiKey: 'mistyped' } }),
  'failed with 403': () =>
    withService((client, { control }) => {
      control.setClientActive(false);
      return client.exams.list();
    }),
  'You may not do this.': () => {
    const baseUrl = 'http://localhost/api/v1';
    const proxy = createProxyHandler({
      baseUrl,
      apiKey: testKey,
      allow: ['exams.list'],
      authorize: () => false,
    });
    const fetch = (url: string, init: RequestInit) => proxy(new Request(url, init));
    const page = createClient({ url: baseUrl }, { apiKey: null, fetch });
    return failureOf(() => page.exams.list());
  },
  'GET /exams failed with 404': () =>
    withService((client, { fetch }) =>
      client.withOptions({ baseUrl: 'http://localhost', fetch }).exams.list(),
    ),
  'failed with 429': () =>
    withService((client, { faults }) => {
      faults.inject({ effect: 'respond', status: 429, headers: { 'Retry-After': '7' } });
      return client.exams.list();
    }),
  'its body is a page of HTML': () =>
    withService((client, { faults }) => {
      faults.inject({ effect: 'html' });
      return client.exams.list();
    }),
  'returned a redirect': () =>
    withService((client, { faults }) => {
      faults.inject({ effect: 'redirect', to: 'https://login.example.com/' });
      return client.exams.list();
    }),
  'the response has an unexpected shape': () =>
    withService((client, { faults }) => {
      faults.inject({ effect: 'respond', status: 200, body: { data: [{ id: '7' }] } });
      return client.exams.list();
    }),
  'use Number(id)': () => withService((client) => client.exams.retrieve('7' as never)),
  'connect ECONNREFUSED': async () => {
    const client = createClient({ url: await unusedUrl() });
    return failureOf(() => client.exams.list());
  },
  'invalid onRequestStart method': () => {
    // As the dispatcher of undici 8 says to the fetch of a Node that has an older one built in.
    const dispatch = () => {
      throw Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
    };
    const client = createClient({ url: 'http://localhost' }, { fetchOptions: { dispatcher: { dispatch } } });
    return failureOf(() => client.exams.list());
  },
  'self-signed certificate': async () => {
    const pem = await readFile(new URL('../../fixtures/self-signed.pem', import.meta.url));
    const server = createServer({ key: pem, cert: pem });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: `https://127.0.0.1:${port}/api/v1` });
    const failure = await failureOf(() => client.exams.list());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return failure;
  },
  'got no complete response within': async () => {
    await using server = await startServer(() => undefined);
    return await failureOf(() => createClient(server, { timeout: 50 }).exams.list());
  },
};

// The first module of a snippet's worker: an emulator behind `fetch`, a console that prints on the page, and what a program
// expects of Node. A program ends with `end()`.
import { format } from 'node-inspect-extracted';
import { demoWebhook, seedDemo } from '../../../src/testing/control/fill.ts';
import { createEmulator } from '../../../src/testing/create-emulator.ts';
import type { FromWorker, Question, ToWorker } from '../page/messages.ts';
import { reach } from './network.ts';

const address = 'http://127.0.0.1:4010';
const apiKey = 'test-key';
/** More than a reader reads, and than a page can hold of an endless loop. */
const mostLines = 500;
/** Changes of the emulator closer together than this are reported as one. */
const reportAfterMs = 100;

let snippet = 0;
let lines = 0;
const outcomes: Promise<unknown>[] = [];
const summaries = new Set<() => void>();

const post = (message: FromWorker) => self.postMessage(message);

function print(text: string, isError = false): void {
  lines += 1;
  if (lines <= mostLines) post({ type: 'print', snippet, text, isError });
  else if (lines === mostLines + 1)
    post({ type: 'print', snippet, text: '… and more, which is not shown', isError: true });
}

const log = (...values: unknown[]) => print(format(...values));
const complain = (...values: unknown[]) => print(format(...values), true);
Object.assign(console, { log, info: log, debug: log, warn: complain, error: complain });

const env = {
  EXAM_SERVICE_BASE_URL: `${address}/api/v1`,
  EXAM_SERVICE_API_KEY: apiKey,
  EXAM_SERVICE_WEBHOOK_SECRET: demoWebhook.secret,
};
const globals = {
  fetch: reach,
  location: new URL(address),
  process: { env, exit() {} },
  Buffer: { from: bufferOf },
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(self, name, { value, configurable: true, writable: true });
}

function bufferOf(content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
  const written = (encoding = 'utf8') =>
    encoding === 'base64' ? btoa(String.fromCharCode(...bytes)) : new TextDecoder().decode(bytes);
  return Object.assign(bytes, { toString: written });
}

const emulator = createEmulator({ apiKey, fetch: reach });
seedDemo(emulator);
await emulator.listen({ port: Number(new URL(address).port) });

for (const type of ['error', 'unhandledrejection'] as const) {
  self.addEventListener(type, (event) => {
    event.preventDefault();
    complain(String('reason' in event ? event.reason : event.error));
    post({ type: 'failed' });
  });
}
self.addEventListener('message', ({ data, ports: [port] }: MessageEvent<ToWorker>) => {
  if (data === 'ping') post({ type: 'pong' });
  else if (port !== undefined) serveConsole(port);
});
post({ type: 'started' });

/** The console of the emulator asks through a port instead of the network. */
function serveConsole(port: MessagePort): void {
  port.onmessage = async ({ data: { id, path, method, body } }: MessageEvent<Question>) => {
    const headers = { accept: 'text/plain', 'x-emulator-control': 'console' };
    const init =
      body === undefined ? { method, headers } : { method, headers, body: new URLSearchParams(body) };
    const response = await reach(`${address}${path}`, init);
    port.postMessage({ id, status: response.status, text: await response.text() });
  };
  let isPending = false;
  emulator.subscribe(() => {
    if (isPending) return;
    isPending = true;
    setTimeout(() => {
      isPending = false;
      port.postMessage('changed');
    }, reportAfterMs);
  });
}

/** What is printed from here on belongs to this snippet. */
export function begin(index: number): void {
  snippet = index;
}

/** The program ends after this, and then with a summary. */
export function outcome(promise: Promise<unknown>, summary: () => void): void {
  outcomes.push(promise);
  summaries.add(summary);
}

/** What the command `trigger` does. */
export async function trigger(event: string, endpoint: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ event });
  await reach(`${address}/api/v1/webhooks/${endpoint}/test`, { method: 'POST', headers, body });
  await emulator.settled();
}

export async function end(): Promise<void> {
  await Promise.all(outcomes);
  for (const summary of summaries) summary();
  post({ type: 'done' });
}

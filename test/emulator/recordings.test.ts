import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { at, bearer, clientKey, createReceiver, type Service, startServer } from './helpers.ts';

/**
 * What an application of the documented interface in Laravel 11 responded, and what the emulator responds to the same
 * requests. A request that left out the right credentials and `Accept: application/json` is sent with them.
 */

interface Recording {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer: { readonly status: number; readonly allow?: string; readonly json?: unknown };
}

const file = new URL('../fixtures/recordings/laravel-11.json', import.meta.url);
const recordings: readonly Recording[] = JSON.parse(await readFile(file, 'utf8'));

/** Requests whose rejection differs, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'GET /exams/999':
    'recorded without `Accept: application/json`: Laravel then responds with a page of HTML, the emulator always with JSON',
};

/** Its webhook endpoint has another id in each recording. */
const neutral = (value: unknown): unknown =>
  JSON.parse((JSON.stringify(value) ?? 'null').replace(/webhooks\/\d+/g, 'webhooks/ID'));

/** The data of the recorded application, and the endpoint that a path may name as `ID`. */
async function prepared(): Promise<{ service: Service; id: number }> {
  const service = await startServer({ fetch: createReceiver().fetch });
  const { control } = service.emulator;
  control.seedExams(25);
  control.seedParticipants(
    Array.from({ length: 30 }, (_, index) => ({
      email: `p${index + 1}@example.com`,
      name: `Peserta ${index + 1}`,
      active: index + 1 !== 29,
      verified: index + 1 !== 30,
    })),
  );
  control.seedResults(Array.from({ length: 23 }, (_, index) => ({ participant_id: index + 2, exam_id: 3 })));
  control.seedAssignments([
    { participant_id: 1, exam_id: 1 },
    { participant_id: 1, exam_id: 2 },
  ]);
  const [endpoint] = control.seedWebhooks([{ url: 'http://127.0.0.1:9/h', events: ['exam_result.scored'] }]);
  return { service, id: endpoint?.id ?? 0 };
}

async function replay({ method, path, headers, body }: Recording['request'], service: Service, id: number) {
  // Both slashes at the start of a path arrive.
  const response = await fetch(service.url + path.replace('/ID', `/${id}`), {
    method,
    headers: {
      Accept: 'application/json',
      ...(path.startsWith('/webhooks') ? bearer : clientKey),
      ...renamed(headers),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    allow: response.headers.get('allow'),
    json: text === '' ? null : JSON.parse(text),
  };
}

/** A recorded credential takes the place of the right one. */
function renamed(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const names: Readonly<Record<string, string>> = {
    'x-client-key': 'X-Client-Key',
    authorization: 'Authorization',
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [names[name] ?? name, value]));
}

const titled = recordings.map((recording, index) => {
  const { method, path, body = '' } = recording.request;
  const shown = body.length > 90 ? `${body.slice(0, 90)}...` : body;
  return { title: `${index + 1}: ${method} ${path} ${shown}`.trimEnd(), ...recording };
});
const rejections = titled.filter(({ answer }) => answer.status >= 400);

describe('as recorded', () => {
  test.each(titled)('$title', async ({ request, answer }) => {
    const { service, id } = await prepared();
    await using _closing = service;
    const given = await replay(request, service, id);
    expect(given.status).toBe(answer.status);
    const { method, path } = request;
    if (answer.status < 400 || Object.hasOwn(exceptions, `${method} ${path}`)) return;
    expect(neutral(at(given.json, 'errors'))).toEqual(neutral(at(answer.json, 'errors')));
    expect(neutral(at(given.json, 'message'))).toEqual(neutral(at(answer.json, 'message')));
    if (answer.allow !== undefined) expect(given.allow).toBe(answer.allow);
  });
});

test('there are 132 recordings with 90 rejections, and each exception is one of them', () => {
  expect([recordings.length, rejections.length]).toEqual([132, 90]);
  const requests = rejections.map(({ request: { method, path } }) => `${method} ${path}`);
  expect(Object.keys(exceptions).filter((name) => !requests.includes(name))).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import type { ExamClient } from '../../../src/index.ts';
import { createClient, rejection, throwing } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { type Handler, type ServiceResponse, startService } from '../../helpers/server.ts';
import { pairs } from './assign-helpers.ts';
import { rowsOf } from './helpers.ts';

skipWaits();

type Run = (client: ExamClient, options?: object) => Promise<unknown>;

const importAll: Run = ({ participants }, options) => participants.importAll(rowsOf(30), options);
const assignAll: Run = ({ examParticipants }, options) => examParticipants.assignAll(pairs(30), options);

const page = { headers: { 'content-type': 'text/html' }, body: '<title>Just a moment</title>' };
const fail = throwing(new Error('the disk is full'));

/** Why a job stops, and whether it can help to resume it later. */
const causes: [
  what: string,
  canHelp: boolean,
  response: ServiceResponse | Handler,
  optionsOf?: (callback: string) => object,
][] = [
  ['an outage', true, { status: 500 }],
  ['a lost connection', true, (_, { reset }) => reset()],
  ['no response in time', true, { status: 504 }],
  ['a page in the place of a response', true, { status: 200, ...page }],
  ["a gateway's page with 403, as at a wrong address", false, { status: 403, ...page }],
  ["a gateway's page with 404, as at a wrong address", false, { status: 404, ...page }],
  ['a limit that does not lift', true, { status: 429 }],
  ['401', false, { status: 401 }],
  ['403', false, { status: 403 }],
  ['a redirect', false, { status: 302, headers: { location: 'https://other.test' } }],
  ['a map that fails', false, {}, () => ({ map: fail })],
  ['a callback that fails', false, {}, (callback) => ({ [callback]: fail })],
  ['an abort', false, {}, () => ({ signal: AbortSignal.abort(new Error('enough')) })],
];

describe.each([
  ['importAll', importAll, 'onBatch'],
  ['assignAll', assignAll, 'onResult'],
] as const)('%s', (_, run, callback) => {
  test.each(causes)('that stops at %s is retryable: %s', async (__, canHelp, response, optionsOf) => {
    await using server = startService(response);
    const error = await rejection(run(createClient(server), optionsOf?.(callback)));
    expect(error).toMatchObject({ code: expect.stringMatching(/stopped$/), retryable: canHelp });
  });
});

test('an import that stops at the ceiling of participants is not retryable', async () => {
  await using server = startService({ status: 400, body: { message: 'Too many participants.' } });
  const error = await rejection(importAll(createClient(server)));
  expect(error).toMatchObject({ code: 'import_stopped', outcome: 'rejected', retryable: false });
});

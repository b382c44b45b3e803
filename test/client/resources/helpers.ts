import { expect } from 'vitest';
import {
  type ClientOptions,
  type ExamClient,
  type ImportAllOptions,
  ImportStoppedError,
  type ParticipantImport,
  RequestValidationError,
} from '../../../src/index.ts';
import { createEmulator, type EmulatorOptions } from '../../../src/testing/index.ts';
import { clientOf, createClient, failure } from '../../helpers/client.ts';
import { type Handler, type ReceivedRequest, startService } from '../../helpers/server.ts';

export const row = (index: number): ParticipantImport => ({
  email: `p${index}@example.test`,
  name: `Person ${index}`,
  password: `password-of-${index}`,
});

export const rowsOf = (count: number): ParticipantImport[] => Array.from({ length: count }, (_, i) => row(i));

/** A source of these rows that notes whether it was closed, and how much was taken of it. */
export function closable<Row>(rows: Iterable<Row>) {
  const state = { closed: false, taken: 0 };
  const source = (function* () {
    try {
      for (const each of rows) {
        yield each;
        state.taken += 1;
      }
    } finally {
      state.closed = true;
    }
  })();
  return { state, source };
}

/** The emails of each request, by the number of their row. */
export function sentIn({ body }: ReceivedRequest): number[] {
  const { participants } = body as { participants: ParticipantImport[] };
  return participants.map(({ email }) => Number(email.slice(1, email.indexOf('@'))));
}

/** A service that takes imports as `handler` says, and a client of it. */
export async function startImports(
  handler: Handler = () => ({ status: 201, body: { message: 'Imported' } }),
) {
  const server = startService(handler);
  const { participants } = createClient(server);
  return {
    server,
    participants,
    sent: () => server.requests.map(sentIn),
    stopped: (
      source: Iterable<ParticipantImport> | AsyncIterable<ParticipantImport>,
      options?: ImportAllOptions,
    ) => failure(participants.importAll(source, options), ImportStoppedError),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The messages of the issues by path; fails when anything is sent. */
export async function issuesOf(call: (client: ExamClient) => PromiseLike<unknown>) {
  await using server = startService({ body: {} });
  const error = await failure(call(createClient(server)), RequestValidationError);
  expect(error).toMatchObject({ outcome: 'not_sent', retryable: false });
  expect(server.requests).toHaveLength(0);
  return Object.fromEntries(error.issues.map(({ path, message }) => [path, message]));
}

/** The service in memory, with its rules, and a client of it that gives up at the first failure. */
export function emulate(options: EmulatorOptions = {}, clientOptions: ClientOptions = {}) {
  const emulator = createEmulator(options);
  const { participants } = clientOf(emulator, clientOptions);
  return {
    emulator,
    participants,
    stopped: (source: Iterable<ParticipantImport>, options?: ImportAllOptions) =>
      failure(participants.importAll(source, options), ImportStoppedError),
  };
}

/** Rejects every request that holds one of these rows, and names them as the service does. */
export function rejecting(bad: ReadonlyArray<number>, status = 422): Handler {
  return (request) => {
    const found = sentIn(request).flatMap((number, position) => (bad.includes(number) ? [position] : []));
    if (found.length === 0) return { status: 201, body: { message: 'Imported' } };
    const errors = Object.fromEntries(
      found.map((position) => [
        `participants.${position}.email`,
        [`The participants.${position}.email must be a valid email address.`],
      ]),
    );
    return { status, body: { message: 'The given data was invalid.', errors } };
  };
}

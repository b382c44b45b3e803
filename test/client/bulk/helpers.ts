import type { ImportAllOptions, ImportStoppedError, ParticipantImport } from '../../../src/index.ts';
import { ImportStoppedError as Stopped } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { type Handler, type ReceivedRequest, startServer } from '../../helpers/server.ts';

export const row = (index: number): ParticipantImport => ({
  email: `p${index}@example.test`,
  name: `Person ${index}`,
  password: `password-of-${index}`,
});

export const rowsOf = (count: number): ParticipantImport[] => Array.from({ length: count }, (_, i) => row(i));

/** The emails of each request, by the number of their row. */
export function sentIn({ body }: ReceivedRequest): number[] {
  const { participants } = body as { participants: ParticipantImport[] };
  return participants.map(({ email }) => Number(email.slice(1, email.indexOf('@'))));
}

/** A service that takes imports as `handler` says, and a client of it. */
export async function startImports(
  handler: Handler = () => ({ status: 201, body: { message: 'Imported' } }),
) {
  const server = await startServer(handler);
  const { participants } = createClient(server);
  return {
    server,
    importAll: participants.importAll.bind(participants),
    sent: () => server.requests.map(sentIn),
    stopped: (source: Parameters<typeof participants.importAll>[0], options?: ImportAllOptions) =>
      failure<ImportStoppedError>(participants.importAll(source, options), Stopped),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Refuses every request that holds one of these rows, and names them as the service does. */
export function refusing(bad: ReadonlyArray<number>, status = 422): Handler {
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

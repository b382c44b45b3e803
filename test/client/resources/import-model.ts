import {
  type ImportAllOptions,
  ImportStoppedError,
  type ImportSummary,
  type ParticipantImport,
  type RejectedRow,
} from '../../../src/index.ts';
import { createClient, nowhere } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';

/** What the service makes of a row: it takes it, rejects it, fails on it; or the row breaks a rule, or is left out by `map`. */
export type Fate = 'good' | 'rejected' | 'failing' | 'invalid' | 'unwanted';

/** One line of the source: who it is about, which version of that person's data, and what the service makes of it. */
export interface Line {
  readonly person: number;
  readonly version: number;
  readonly fate: Fate;
}

/** How the service names the rows that it rejects, by their places in the request. */
const namings: Record<string, (places: readonly number[]) => readonly number[]> = {
  all: (places) => places,
  'the first': (places) => places.slice(0, 1),
  none: () => [],
  'counted from 1': (places) => places.map((place) => place + 1),
  'always 0': () => [0],
};
export const namingNames = Object.keys(namings);

/** In which form the service, or a gateway before it, reports a server error. */
export const serverErrors = ['json', 'text', 'page', 'page of a success', 'reset'] as const;

/** What happens to one request apart from its rows: lost before or after the service took it, or no response in time. */
export type Trouble = 'reset' | 'lost' | 500 | 503 | 'hang';

export interface Service {
  readonly lines: readonly Line[];
  readonly naming: string;
  readonly serverError: (typeof serverErrors)[number];
  /** More rows than this in a request are too large. */
  readonly capacity: number;
  /** More rows than this in a request get no response in time. */
  readonly speed: number;
  /** By the number of the request, over all runs. */
  readonly troubles: ReadonlyMap<number, Trouble>;
  /** Requests, by number over all runs, during which the service is down. */
  readonly outage: { readonly from: number; readonly to: number };
}

/** The row of a line. Some emails differ in case. */
export function rowOf({ person, version, fate }: Line, index: number): ParticipantImport {
  const email = index % 3 === 1 ? `P${person}@Example.test` : `p${person}@example.test`;
  return { email, name: fate === 'invalid' ? ' ' : `Person ${person}`, password: `${fate}-${version}` };
}

const personOf = ({ email }: ParticipantImport) => Number(email.slice(1, email.indexOf('@')));

/** The state of a service and the trouble that it has had, which outlive a run. */
export class World {
  /** The password that the service holds for each person. */
  readonly held = new Map<number, string>();
  /** The emails, as they were sent, of each request. */
  readonly requests: string[][] = [];
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  respond(rows: readonly ParticipantImport[]): Response {
    const { service } = this;
    const number = this.requests.push(rows.map(({ email }) => email));
    const trouble = service.troubles.get(number);
    if (trouble === 'reset') throw new TypeError('fetch failed');
    if (trouble === 500 || trouble === 503) return Response.json({ message: 'Down.' }, { status: trouble });
    if (number >= service.outage.from && number < service.outage.to) return this.#fail();
    if (rows.length > service.capacity) return new Response('too large', { status: 413 });
    if (rows.length > service.speed || trouble === 'hang') return new Response(null, { status: 504 });
    const places = rows.flatMap((row, place) => (row.password.startsWith('rejected') ? [place] : []));
    if (places.length > 0) {
      const named = (namings[service.naming]?.(places) ?? []).map((place) => [
        `participants.${place}.email`,
        ['no'],
      ]);
      return Response.json({ message: 'Invalid.', errors: Object.fromEntries(named) }, { status: 422 });
    }
    if (rows.some(({ password }) => password.startsWith('failing'))) return this.#fail();
    for (const row of rows) this.held.set(personOf(row), row.password);
    if (trouble === 'lost') throw new TypeError('fetch failed');
    return Response.json({ message: 'Imported' }, { status: 201 });
  }

  #fail(): Response {
    const page = { 'content-type': 'text/html' };
    switch (this.service.serverError) {
      case 'json':
        return Response.json({ message: 'Server Error' }, { status: 500 });
      case 'text':
        return new Response('SQLSTATE[HY000]', { status: 500 });
      case 'page':
        return new Response('<html><title>502 Bad Gateway</title>', { status: 502, headers: page });
      case 'page of a success':
        return new Response('<html>Maintenance</html>', { status: 200, headers: page });
      case 'reset':
        throw new TypeError('fetch failed');
    }
  }
}

export interface Run {
  readonly summary: ImportSummary;
  readonly error: ImportStoppedError | undefined;
  readonly rejected: readonly RejectedRow<Line>[];
  /** Requests of this run. */
  readonly requests: number;
}

/** Runs an import against a world. */
export async function run(
  world: World,
  options: ImportAllOptions<Line> | object,
  onRequest: () => void = () => {},
): Promise<Run> {
  const rejected: RejectedRow<Line>[] = [];
  const client = createClient({
    ...nowhere,
    fetch: async (_, { body }) => {
      const { participants }: { participants: ParticipantImport[] } = JSON.parse(String(body));
      onRequest();
      // Concurrent requests end in another order than they began.
      for (let turns = world.requests.length % 3; turns > 0; turns -= 1) await nextTurn();
      return world.respond(participants);
    },
  });
  const before = world.requests.length;
  let summary: ImportSummary;
  let error: ImportStoppedError | undefined;
  try {
    summary = await client.participants.importAll(world.service.lines, {
      ...options,
      map: (line, index) => (line.fate === 'unwanted' ? null : rowOf(line, index)),
      onRejected: (rejection) => rejected.push(rejection),
    });
  } catch (caught) {
    if (!(caught instanceof ImportStoppedError)) throw caught;
    error = caught;
    ({ summary } = caught);
  }
  return { summary, error, rejected, requests: world.requests.length - before };
}

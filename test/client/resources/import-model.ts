import {
  ExamClient,
  type ImportAllOptions,
  type ImportedBatch,
  ImportStoppedError,
  type ImportSummary,
  type ParticipantImport,
  type RejectedRow,
} from '../../../src/index.ts';
import { nextTurn } from '../../helpers/gate.ts';

/** What becomes of a row: the service takes it, refuses it, crashes on it; or it is never sent. */
export type Fate = 'good' | 'rejected' | 'crashing' | 'invalid' | 'unwanted';

/** How the service names the rows that it refuses, by their places in the request. */
const namings: Record<string, (places: readonly number[]) => readonly number[]> = {
  all: (places) => places,
  'the first': (places) => places.slice(0, 1),
  none: () => [],
  'counted from 1': (places) => places.map((place) => place + 1),
  'always 0': () => [0],
};
export const namingNames = Object.keys(namings);

/** One line of the source: who it is about (some occur again), and what the service makes of it. */
export interface Line {
  readonly person: number;
  readonly fate: Fate;
}

/** What happens to one request apart from its rows. */
export type Trouble = 'reset' | 'lost' | 503 | 500 | 'hang';

export interface Service {
  readonly lines: readonly Line[];
  readonly naming: string;
  /** More rows than this in a request are too large. */
  readonly capacity: number;
  /** More rows than this in a request are not answered in time. */
  readonly speed: number;
  /** By the number of the request. */
  readonly troubles: ReadonlyMap<number, Trouble>;
  /** Requests, by number, during which the service is down and answers 500. */
  readonly outage: { readonly from: number; readonly to: number };
}

/** The same service without trouble. */
export const calm = (service: Service): Service => ({
  ...service,
  troubles: new Map(),
  outage: { from: 0, to: 0 },
});

/** The row of a line; the password tells which line it is. Some emails differ in case and spaces. */
export function rowOf({ person, fate }: Line, index: number): ParticipantImport {
  const email = index % 3 === 1 ? ` P${person}@Example.test ` : `p${person}@example.test`;
  return { email, name: fate === 'invalid' ? ' \u200B' : `Person ${person}`, password: `line-${index}` };
}

const lineOf = ({ password }: ParticipantImport) => Number(password.slice('line-'.length));
const keyOf = ({ email }: ParticipantImport) => email.trim().toLowerCase();

/** What the service holds: the line that it last took for each email. */
export type Held = Map<string, number>;

export interface Run {
  readonly summary: ImportSummary;
  readonly error: ImportStoppedError | undefined;
  /** Lines that the service took. */
  readonly taken: ReadonlySet<number>;
  readonly rejected: readonly number[];
  /** Those of them that may be imported all the same, as their reasons say. */
  readonly doubted: ReadonlySet<number>;
  readonly unwanted: ReadonlySet<number>;
  readonly batches: readonly ImportedBatch[];
  /** The lines of each request. */
  readonly requests: readonly (readonly number[])[];
}

/** Runs an import against a service, and notes what was seen of each row from outside. */
export async function run(
  service: Service,
  options: ImportAllOptions,
  held: Held = new Map(),
  onRequest: (number: number) => void = () => {},
): Promise<Run> {
  const taken = new Set<number>();
  const rejected: number[] = [];
  const doubted = new Set<number>();
  const reject = ({ index, reason }: RejectedRow) => {
    rejected.push(index);
    if (reason.endsWith('It may be imported all the same.')) doubted.add(index);
  };
  const unwanted = new Set<number>();
  const batches: ImportedBatch[] = [];
  const requests: number[][] = [];
  const take = (rows: readonly ParticipantImport[]) => {
    for (const row of rows) {
      taken.add(lineOf(row));
      held.set(keyOf(row), lineOf(row));
    }
  };
  const answer = (rows: readonly ParticipantImport[], number: number): Response => {
    const trouble = service.troubles.get(number);
    if (trouble === 'reset') throw new TypeError('fetch failed');
    if (trouble === 500 || trouble === 503) return new Response(null, { status: trouble });
    if (number >= service.outage.from && number < service.outage.to) {
      return new Response(null, { status: 500 });
    }
    if (rows.length > service.capacity) return new Response(null, { status: 413 });
    if (rows.length > service.speed || trouble === 'hang') return new Response(null, { status: 504 });
    const fates = rows.map((row) => service.lines[lineOf(row)]?.fate);
    const keys = rows.map(keyOf);
    const places = rows.flatMap((row, place) => {
      const isRepeated = keys.indexOf(keyOf(row)) !== keys.lastIndexOf(keyOf(row));
      return fates[place] === 'rejected' || isRepeated ? [place] : [];
    });
    if (places.length > 0) {
      const named = (namings[service.naming]?.(places) ?? []).map((place) => [
        `participants.${place}.email`,
        ['no'],
      ]);
      return Response.json({ message: 'Invalid.', errors: Object.fromEntries(named) }, { status: 422 });
    }
    if (fates.includes('crashing')) return new Response(null, { status: 500 });
    take(rows);
    if (trouble === 'lost') throw new TypeError('fetch failed');
    return Response.json({ message: 'Imported' }, { status: 201 });
  };
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-model',
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (_, { body }) => {
      const { participants }: { participants: ParticipantImport[] } = JSON.parse(String(body));
      const number = requests.push(participants.map(lineOf));
      onRequest(number);
      // Requests under way at once end in another order than they began.
      for (let turns = number % 3; turns > 0; turns -= 1) await nextTurn();
      return answer(participants, number);
    },
  });
  let summary: ImportSummary;
  let error: ImportStoppedError | undefined;
  try {
    summary = await client.participants.importAll(service.lines, {
      ...options,
      map: (line, index) => {
        if (line.fate !== 'unwanted') return rowOf(line, index);
        unwanted.add(index);
        return null;
      },
      ...(options.onRejected && { onRejected: reject }),
      onBatch: (batch) => batches.push(batch),
    });
  } catch (caught) {
    if (!(caught instanceof ImportStoppedError)) throw caught;
    error = caught;
    ({ summary } = caught);
  }
  for (const row of summary.rejected) reject(row);
  return { summary, error, taken, rejected, doubted, unwanted, batches, requests };
}

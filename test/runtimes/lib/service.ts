import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Emulator } from '../../../src/testing/index.ts';
import type { Findings } from './check.ts';
import type { ForeignProject } from './foreign-project.ts';

/** Input of the scenario. */
export interface Environment {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Every exam of the service, in ascending order; the first participant has not been assigned to the first. */
  readonly examIds: readonly number[];
  /** How many results there are, one of them for the first exam. */
  readonly resultCount: number;
  /** To be imported. */
  readonly participants: readonly { email: string; name: string; password: string }[];
  /** The secret of a webhook endpoint, and what the service has sent to it. */
  readonly secret: string;
  readonly delivery: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Whether `fetch` hides where a redirect leads to, as browsers do. */
  readonly opaqueRedirects: boolean;
}

/** An emulator that serves one run of the scenario, and sends a redirect for one call and no response for another. */
export interface Service extends AsyncDisposable {
  readonly environment: Environment;
  readonly emulator: Emulator;
  /** How many requests reached the place that the redirect leads to. */
  followedRedirects(): number;
}

/** The steps of the scenario, in the order in which it takes them. */
export const steps = [
  'import',
  'assign and link',
  'pages',
  'errors',
  'abort',
  'redirect',
  'webhook',
  'forged webhook',
] as const;

/** Longer than any check, in milliseconds. */
const never = 600_000;

/** Starts the emulator that is in the tarball. */
export async function startService({ installed }: ForeignProject): Promise<Service> {
  const entry = pathToFileURL(join(installed, 'dist', 'testing.js')).href;
  const { createEmulator }: typeof import('../../../src/testing/index.ts') = await import(entry);
  const sent: Environment['delivery'][] = [];
  const apiKey = 'runtime-test-key';
  const emulator = createEmulator({
    apiKey,
    fetch: async (_url, { headers, body }) => {
      sent.push({ headers: Object.fromEntries(new Headers(headers)), body: String(body) });
      return new Response(null, { status: 204 });
    },
  });
  const elsewhere = createEmulator({ apiKey });
  const [server, trap] = [await emulator.listen(), await elsewhere.listen()];

  const exams = emulator.control.seedExams(5);
  const [participant, graduate] = emulator.control.seedParticipants(2);
  const participant_id = graduate?.id ?? 0;
  const results = emulator.control.seedResults(exams.map(({ id }) => ({ participant_id, exam_id: id })));
  const finished = { participant_id: participant?.id ?? 0, exam_id: exams.at(-1)?.id ?? 0 };
  const secret = await subscribe(emulator, server.url, apiKey);
  emulator.control.seedAssignments([finished]);
  emulator.control.startExam(finished);
  emulator.control.finishExam({ ...finished, score: 87.5 });
  await emulator.settled();
  const [delivery] = sent;
  if (delivery === undefined) throw new Error('The emulator sent no delivery.');

  emulator.faults.inject({ on: 'participants.retrieve', delay: never });
  emulator.faults.inject({ on: 'exams.retrieve', effect: 'redirect', to: `${trap.url}/exams/1` });
  return {
    emulator,
    environment: {
      baseUrl: server.url,
      apiKey,
      examIds: exams.map(({ id }) => id),
      // And the one of the exam that was finished.
      resultCount: results.length + 1,
      participants: [
        { email: 'ana@example.test', name: 'Ana Putri', password: 'amber-birch-174' },
        { email: 'budi@example.test', name: 'Budi Hartono', password: 'cedar-dune-285' },
      ],
      secret,
      delivery,
      opaqueRedirects: false,
    },
    followedRedirects: () => elsewhere.requests.length,
    async [Symbol.asyncDispose]() {
      await Promise.all([server.close(), trap.close()]);
    },
  };
}

/** Has a webhook endpoint made, and gives its secret. */
async function subscribe(emulator: Emulator, url: string, apiKey: string): Promise<string> {
  const response = await emulator.fetch(`${url}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://receiver.test/webhooks', events: ['exam_result.completed'] }),
  });
  const { data } = (await response.json()) as { data: { secret: string } };
  return data.secret;
}

/** What a runtime reported, and that no redirect was followed behind its back. */
export function verdict({ followedRedirects }: Service, reported: Findings): Findings {
  return followedRedirects() === 0 ? reported : { ...reported, redirect: 'the redirect was followed' };
}

import {
  AssignmentsStoppedError,
  type ClientOptions,
  type ExamClient,
  ImportStoppedError,
} from '../../../src/index.ts';
import { createClient, nowhere } from '../../helpers/client.ts';

/** A service that is down at some requests, on a clock that moves at once. */

const page = { 'content-type': 'text/html' };
const connect = (code: string, syscall: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code, syscall }) });

/** How a service, or what stands before it, may fail: what `fetch` gives. */
export const downs = {
  'a refused connection': () => Promise.reject(connect('ECONNREFUSED', 'connect')),
  'an unknown host': () => Promise.reject(connect('ENOTFOUND', 'getaddrinfo')),
  'a lost connection': () => Promise.reject(new TypeError('fetch failed')),
  'a time limit of the platform': () => Promise.reject(connect('UND_ERR_HEADERS_TIMEOUT', '')),
  'a certificate that is out of date': () => Promise.reject(connect('CERT_HAS_EXPIRED', '')),
  "a gateway's page with 403": async () => new Response('<html>', { status: 403, headers: page }),
  "a gateway's page with 404": async () => new Response('<html>', { status: 404, headers: page }),
  'a redirect': async () => new Response(null, { status: 302, headers: { location: 'https://other.test' } }),
  '425': async () => Response.json({}, { status: 425 }),
  '429': async () => Response.json({}, { status: 429, headers: { 'retry-after': '120' } }),
  '429 without a time': async () => Response.json({}, { status: 429 }),
  '500': async () => Response.json({}, { status: 500 }),
  '501': async () => Response.json({}, { status: 501 }),
  '503': async () => Response.json({}, { status: 503 }),
  '504': async () => Response.json({}, { status: 504 }),
  'a page of a success': async () => new Response('<html>Maintenance</html>', { headers: page }),
  'a success that is cut': async () => new Response('{"url": "htt'),
  '401': async () => Response.json({}, { status: 401 }),
  '403': async () => Response.json({}, { status: 403 }),
} satisfies Record<string, () => Promise<Response>>;
export type Down = keyof typeof downs;

/** What a request is about: the persons in it, and whether it asks for a link. */
export interface Asked {
  readonly isLink: boolean;
  readonly people: readonly number[];
}

/** The number of the request, from 1, in the order in which they come. */
type Said = Response | Down | undefined;
type Answer = (asked: Asked, number: number) => Said | Promise<Said>;

/** A service that accepts everything but what `answer` says, and a client of it. */
export function startDown(answer: Answer = () => undefined, options: ClientOptions = {}) {
  const requests: (Asked & { readonly at: number })[] = [];
  const held = new Set<number>();
  const linked = new Set<number>();
  const fetch = async (url: string, { body }: RequestInit) => {
    const isLink = url.includes('/link');
    const sent = isLink ? {} : JSON.parse(String(body ?? '{}'));
    const ids: number[] = isLink
      ? [Number(new URL(url).searchParams.get('participant_id')) - 1]
      : (sent.participants?.map(({ email }: { email: string }) => Number(/\d+/.exec(email))) ?? [
          sent.participant_id - 1,
        ]);
    const asked = { isLink, people: ids };
    requests.push({ ...asked, at: performance.now() });
    const said = await answer(asked, requests.length);
    if (typeof said === 'string') return downs[said]();
    if (said !== undefined) return said;
    for (const id of ids) (isLink ? linked : held).add(id);
    if (isLink) return Response.json({ url: `https://exam.test/${ids[0]}` });
    return Response.json({}, { status: 201 });
  };
  return { client: createClient({ ...nowhere, fetch }, options), requests, held, linked };
}

/** How a job ended: with its summary, or its error. */
export async function ended<Summary>(job: Promise<Summary>) {
  try {
    return { summary: await job, error: undefined };
  } catch (error) {
    if (error instanceof ImportStoppedError || error instanceof AssignmentsStoppedError)
      return { summary: error.summary as Summary, error };
    throw error;
  }
}

export interface JobOptions {
  readonly maxOutage?: number;
  readonly concurrency?: number;
  readonly batchSize?: number;
  readonly resumeFrom?: number;
  readonly signal?: AbortSignal;
}

type Run = (
  client: ExamClient,
  source: Iterable<number> | AsyncIterable<number>,
  options?: JobOptions,
) => Promise<object>;

const row = (number: number) => ({
  email: `p${number}@example.test`,
  name: 'N',
  password: `secret-${number}`,
});

const importing =
  (failedBatches: 'stop' | 'reject' | 'bisect'): Run =>
  ({ participants }, source, options) =>
    participants.importAll(source, { map: row, failedBatches, batchSize: 1, ...options });

const assigning =
  (link: boolean): Run =>
  ({ examParticipants }, source, { batchSize: _, ...options } = {}) =>
    examParticipants.assignAll(source, {
      map: (number) => ({ participant_id: number + 1, exam_id: 1 }),
      concurrency: 1,
      link,
      ...options,
    });

/** The jobs that wait for a service, each in every mode. */
export const runs: readonly [name: string, run: Run][] = [
  ["an import with failedBatches 'stop'", importing('stop')],
  ["an import with failedBatches 'reject'", importing('reject')],
  ["an import with failedBatches 'bisect'", importing('bisect')],
  ['an assignment', assigning(false)],
  ['an assignment with links', assigning(true)],
];

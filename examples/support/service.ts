// What the quickstart, the trace and the inbox begin with: a service to work with, and a receiver of its deliveries.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createEmulator, type Emulator } from 'exam-service-sdk/testing';
import { createWebhookHandler, toNodeListener, type WebhookHooks } from 'exam-service-sdk/webhooks';

/** The service that the environment names, or an emulator of it on this machine. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** `null` for the service that the environment names. */
  readonly emulator: Emulator | null;
  close(): Promise<void>;
}

/**
 * Uses `EXAM_SERVICE_BASE_URL` and `EXAM_SERVICE_API_KEY`, or starts an emulator with an exam when neither is set; prints which. Setting
 * one of them is a mistake: you meant the real service, and would take the emulator's success for its own.
 *
 * @param missing The argument that a program needs before it changes anything on a real service, until it is given
 */
export async function connectService(missing?: string | false): Promise<Service> {
  const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) {
    if (missing) giveUp(`${missing} is missing: this changes data of ${baseUrl}.`);
    console.log(`Service: ${baseUrl}`);
    return { baseUrl, apiKey, emulator: null, close: async () => {} };
  }
  if (baseUrl || apiKey) {
    const name = baseUrl ? 'EXAM_SERVICE_API_KEY' : 'EXAM_SERVICE_BASE_URL';
    giveUp(`${name} is missing: set it as well, or neither for an emulator on this machine.`);
  }

  const emulator = createEmulator({ apiKey: 'quickstart-key' });
  emulator.control.seedExams([{ name: 'Mathematics, first term', name_short: 'MATH-1' }]);
  const server = await emulator.listen();
  console.log(`Service: ${server.url} (an emulator on this machine)`);
  return { baseUrl: server.url, apiKey: 'quickstart-key', emulator, close: () => server.close() };
}

function giveUp(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Lets the participants of an emulator take an exam. */
export function takeExam({ control }: Emulator, exam_id: number, participants: readonly number[]): void {
  for (const [index, participant_id] of participants.entries()) {
    control.startExam({ participant_id, exam_id });
    control.finishExam({ participant_id, exam_id, score: 55 + ((index * 37) % 90) / 2 });
  }
}

/** A small receiver of deliveries on this machine. */
export interface Receiver {
  readonly url: string;
  /** Scores by participant, from the deliveries that were verified. */
  readonly scores: ReadonlyMap<number, number | null>;
  /** The secret is known only after the endpoint is registered, which needs the receiver's address. */
  start(secret: string): void;
  /** Resolves when so many deliveries were verified, or after five seconds. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts one that reports to `hooks` alone. */
export async function startReceiver(hooks: WebhookHooks = {}): Promise<Receiver> {
  const scores = new Map<number, number | null>();
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const server = createServer((request, response) => {
    if (listener) listener(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    scores,
    start(secret) {
      const handler = createWebhookHandler({
        secret,
        hooks,
        on: { 'exam_result.completed': ({ data }) => scores.set(data.participant.id, data.score) },
      });
      listener = toNodeListener(handler);
    },
    async waitFor(count) {
      for (let waited = 0; scores.size < count && waited < 5_000; waited += 10) await setTimeout(10);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

import * as nodeCrypto from 'node:crypto';
import { beforeEach, describe, type MockInstance, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createWebhookHandler,
  type VerifySignatureOptions,
  type WebhookContext,
  type WebhookHandlerOptions,
  type WebhookParts,
  type WebhookVerificationError,
} from '../../src/webhooks/index.ts';

export const secret = 'whsec_test_5f0c1d2e3b4a';
/** The second at which the tests take place. */
export const signedAt = 1_740_797_113;
export const options: VerifySignatureOptions = { secret, now: () => signedAt * 1000 };
/** The same for a receiver, which needs a handler. */
export const receiverOptions = { ...options, onUnknown: () => {} };

export const completed = {
  event: 'exam_result.completed',
  created_at: '2025-03-01T09:45:13+07:00',
  data: {
    exam_result_id: 7,
    user_exam_id: 501,
    participant_code: 'P-0001',
    exam: { id: 1, name: 'Try out', name_short: 'TO-1' },
    exam_quiz: { id: 3, name: 'Verbal' },
    participant: { id: 9, name: 'Ana Putri', email: 'ana@example.test' },
    status: 2,
    status_label: 'Finished',
    score: 87.5,
    start_at: '2025-03-01T08:00:00+07:00',
    end_at: '2025-03-01T09:45:12+07:00',
  },
};

/** `completed` as it is sent. */
export const body = JSON.stringify(completed);

/** A delivery that is rightly signed. */
export const signed = (text: string | Uint8Array = body, timestamp = signedAt) =>
  signedWebhook({ body: text, secret, timestamp });

export const request = (...given: Parameters<typeof signed>): Request => signed(...given).toRequest();

/** One that was signed so many seconds ago, or will be. */
export const aged = (seconds: number): Request => request(body, signedAt - seconds);

/** A request whose body comes in pieces. */
export const streaming = (body: ReadableStream, headers: HeadersInit = {}): Request =>
  new Request('https://receiver.test/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);

/** A request without a signature. */
export const unsigned = () => new Request('https://receiver.test/', { method: 'POST', body });

/** What a handler of `exam_result.completed` may be in a test, also one that the types forbid. */
type AnyHandler = (event: unknown, context: WebhookContext) => unknown;

/** A receiver with this handler of `exam_result.completed`, whose observers are recorded. */
export function startReceiver(handler: AnyHandler = () => {}, more: Partial<WebhookHandlerOptions> = {}) {
  const onError = vi.fn<(error: unknown, request: Request | null) => void>();
  const onRejected = vi.fn<(error: WebhookVerificationError, request: Request) => void>();
  const on = { 'exam_result.completed': handler as () => undefined };
  const handle = createWebhookHandler({ ...options, on, onError, onRejected, ...more });
  const deliver = async (given = request()) => (await handle(given)).status;
  return { handle, onError, onRejected, deliver };
}

/** An event whose payload is undocumented by the service. */
export function registered(data: unknown = { participant_id: 9 }): string {
  const created_at = '2025-03-01T08:00:00+07:00';
  return JSON.stringify({ event: 'exam_participant.registered', created_at, data });
}

/** A Standard Schema that validates in this way. */
export const schemaOf = <Result>(validate: (data: unknown) => Result) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as const;

/** The hexadecimal signature of `X-Cbt-Signature`. */
export function mac(body: string | Uint8Array, timestamp: number | string = signedAt, key = secret): string {
  return nodeCrypto.createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}

/** A signed delivery as body and headers; `header` replaces the right one. */
export function delivery(body: string | Uint8Array, header = `t=${signedAt},v1=${mac(body)}`): WebhookParts {
  return { body, headers: { 'Content-Type': 'application/json', 'X-Cbt-Signature': header } };
}

/** Makes this what the runtime has as `node:crypto`, or leaves it without. */
export function runOn(crypto: object | undefined): MockInstance {
  return vi.spyOn(process, 'getBuiltinModule').mockReturnValue(crypto);
}

/** Runs a suite once over each engine. */
export function describeEngines(suite: () => void): void {
  describe.each(['node:crypto', 'WebCrypto'])('over %s', (name) => {
    beforeEach(() => void runOn(name === 'WebCrypto' ? undefined : nodeCrypto));
    suite();
  });
}

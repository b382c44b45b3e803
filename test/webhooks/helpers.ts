import { createHmac } from 'node:crypto';
import { beforeAll, describe, vi } from 'vitest';
import type { VerifySignatureOptions, WebhookParts } from '../../src/webhooks/index.ts';
import { nodeCrypto } from '../../src/webhooks/node-crypto.ts';
import { signers } from '../../src/webhooks/signer.ts';

export const secret = 'whsec_test_5f0c1d2e3b4a';
/** The second at which the tests take place. */
export const signedAt = 1_740_797_113;
export const options: VerifySignatureOptions = { secret, now: () => signedAt * 1000 };

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

/** An event whose payload the interface document does not show. */
export function registered(data: unknown = { participant_id: 9 }): string {
  return JSON.stringify({
    event: 'exam_participant.registered',
    created_at: '2025-03-01T08:00:00+07:00',
    data,
  });
}

/** A schema at fault itself. */
export const throwingSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => {
      throw new Error('broken');
    },
  },
} as const;

/** The hexadecimal signature that the interface document describes. */
export function mac(body: string | Uint8Array, timestamp: number | string = signedAt, key = secret): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}

/** A signed delivery as body and headers; `header` replaces the right one. */
export function delivery(body: string | Uint8Array, header = `t=${signedAt},v1=${mac(body)}`): WebhookParts {
  return { body, headers: { 'Content-Type': 'application/json', 'X-Cbt-Signature': header } };
}

/** `node:crypto` as the sources see it; the tests run on Node. */
export function requiredNodeCrypto() {
  const crypto = nodeCrypto();
  if (!crypto) throw new Error('These tests need node:crypto.');
  return crypto;
}

const engines = [
  ['node:crypto', requiredNodeCrypto()],
  ['WebCrypto', undefined],
] as const;

/** Runs a suite once over each engine. */
export function describeEngines(suite: () => void): void {
  describe.each(engines)('over %s', (_, found) => {
    beforeAll(() => {
      signers.clear();
      const lookup = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(found);
      return () => {
        lookup.mockRestore();
        signers.clear();
      };
    });
    suite();
  });
}

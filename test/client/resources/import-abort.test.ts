import { describe, expect, test } from 'vitest';
import type { ImportAllOptions } from '../../../src/index.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { closable, rejecting, row, rowsOf, startImports } from './helpers.ts';

const bad = { ...row(2), name: '' };

describe.each<[string, object, (pending: () => Promise<unknown>) => ImportAllOptions]>([
  ['onProgress', { imported: 2, sent: 2, rejected: 0, resumeFrom: 2 }, (onProgress) => ({ onProgress })],
  [
    'onRejected, of a row that breaks a rule',
    { imported: 2, sent: 2, rejected: 0, rejections: [], resumeFrom: 2 },
    (onRejected) => ({ onRejected, invalidRows: 'reject' }),
  ],
  [
    'onRejected, of a row that was rejected',
    { imported: 1, sent: 2, rejected: 0, rejections: [], resumeFrom: 1 },
    (onRejected) => ({ onRejected, failedBatches: 'bisect' }),
  ],
])('an abort while %s is pending', (name, expected, optionsOf) => {
  const handler = name.endsWith('rejected') ? rejecting([1]) : undefined;

  test.each(['fulfils', 'rejects'])(
    'ends the import immediately, and is not undone when it %s later',
    async (ending) => {
      await using service = await startImports(handler);
      const controller = new AbortController();
      const called = createGate();
      const gate = createGate<void>();
      let calls = 0;
      const options = optionsOf(() => {
        calls += 1;
        called.open();
        return gate.promise;
      });
      const { source, state } = closable(rowsOf(10).with(2, bad));
      const stopping = service.stopped(source, { batchSize: 2, signal: controller.signal, ...options });
      await called.promise;
      controller.abort();
      const { cause, summary } = await stopping;
      expect(cause).toBe(controller.signal.reason);
      expect(state.closed).toBe(true);
      if (ending === 'fulfils') gate.open();
      else gate.fail(new Error('too late'));
      await nextTurn();
      await nextTurn();
      expect(summary).toMatchObject(expected);
      expect(calls).toBe(1);
      expect(service.server.requests.length).toBeLessThanOrEqual(2);
    },
  );
});

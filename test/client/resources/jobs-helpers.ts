import type { ExamClient } from '../../../src/index.ts';
import { nextTurn } from '../../helpers/gate.ts';
import type { Handler, ReceivedRequest } from '../../helpers/server.ts';
import { personIn } from './assign-helpers.ts';
import { row, sentIn } from './helpers.ts';

/** What both bulk jobs have in common, as one function over numbers. */

interface Options {
  readonly concurrency?: number;
  readonly resumeFrom?: number;
  readonly signal?: AbortSignal;
  /** Called for each row, with its index. */
  readonly onRow?: (index: number) => unknown;
}

/** Runs a job over these numbers: a request for each. */
type Run = (
  client: ExamClient,
  source: Iterable<number> | AsyncIterable<number>,
  options?: Options,
) => Promise<{ readonly processed: number; readonly resumeFrom: number }>;

const importAll: Run = ({ participants }, source, { onRow, ...options } = {}) =>
  participants.importAll(source, {
    ...options,
    map: row,
    batchSize: 1,
    onBatch: ({ from }) => onRow?.(from),
  });

const assignAll: Run = ({ examParticipants }, source, { onRow, ...options } = {}) =>
  examParticipants.assignAll(source, {
    ...options,
    map: (number) => ({ participant_id: number + 1, exam_id: 1 }),
    onResult: ({ index }) => onRow?.(index),
  });

export const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
export const accept: Handler = () => ({ status: 201, body: {} });

export const settle = async () => {
  for (let turn = 0; turn < 30; turn += 1) await nextTurn();
};

/** Each with its name, and the number that a request of it is about. */
export const jobs: readonly [name: string, run: Run, numberIn: (request: ReceivedRequest) => number][] = [
  ['importAll', importAll, (request) => sentIn(request)[0] ?? -1],
  ['assignAll', assignAll, (request) => personIn(request) - 1],
];

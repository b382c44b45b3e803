// What becomes of a batch that was not accepted, by the option `failedBatches`: the table in docs/import.md.

import type { Evidence } from '../evidence.ts';
import type { Action } from '../job.ts';

type BatchAction = Exclude<Action, 'wait'>;
/** What to do with several rows, and with a single one. */
type Actions = readonly [severalRows: BatchAction, oneRow: BatchAction];

const stops: Actions = ['stop', 'stop'];

export const failedBatches: Readonly<
  Record<Evidence, Readonly<Record<'stop' | 'reject' | 'bisect', Actions>>>
> = {
  no: { stop: stops, reject: ['reject', 'reject'], bisect: ['halve', 'reject'] },
  'too large': { stop: ['halve', 'stop'], reject: ['halve', 'reject'], bisect: ['halve', 'reject'] },
  'too slow': { stop: ['halve', 'stop'], reject: ['halve', 'stop'], bisect: ['halve', 'blame'] },
  'server error': { stop: stops, reject: stops, bisect: ['halve', 'blame'] },
  'every request': { stop: stops, reject: stops, bisect: stops },
};

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from './gate.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes on the heap that something still holds. */
export async function measureHeap(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collect();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed;
}

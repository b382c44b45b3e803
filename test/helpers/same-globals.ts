// Set-up of the test files that share a process: each must leave what is global as it was.
import { afterAll } from 'vitest';

const names = ['fetch', 'Request', 'Response', 'Headers', 'Date', 'setTimeout', 'queueMicrotask'] as const;
const before = names.map((name) => globalThis[name]);

afterAll(() => {
  const changed = names.filter((name, index) => globalThis[name] !== before[index]);
  if (changed.length > 0)
    throw new Error(`For the files after this one, ${changed.join(', ')} would be another.`);
});

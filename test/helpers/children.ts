// Set-up of every worker: what a test starts ends with the worker, also where a hook that has timed out goes on.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

const isSetUp = Symbol.for('exam-service-sdk.test.children');

if (!Reflect.has(process, isSetUp)) {
  Reflect.set(process, isSetUp, true);
  const children = new Set<ChildProcess>();
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    children.add(child);
    child.once('exit', () => children.delete(child));
  });
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  process.once('SIGTERM', () => process.exit(143));
}

// `node:test` for snippets: runs tests as they come, and prints how they ended.
import { outcome } from '../runtime.ts';

const passed: string[] = [];
const failed: string[] = [];

export async function test(name: string, run: () => unknown): Promise<void> {
  const running = (async () => run())();
  outcome(
    running.then(
      () => console.log(`✔ ${name}`, passed.push(name) && ''),
      (error) => console.error(`✖ ${name}\n${error}`, failed.push(name) && ''),
    ),
    () => console.log(`ℹ pass ${passed.length}\nℹ fail ${failed.length}`),
  );
}

// `node:test` for snippets: runs tests as they come, and prints how they ended.
import { outcome } from '../runtime.ts';

const counts = { pass: 0, fail: 0 };

export function test(name: string, run: () => unknown): void {
  outcome(check(name, run), summary);
}

async function check(name: string, run: () => unknown): Promise<void> {
  try {
    await run();
    counts.pass += 1;
    console.log(`✔ ${name}`);
  } catch (error) {
    counts.fail += 1;
    console.error(`✖ ${name}\n${error}`);
  }
}

const summary = () => console.log(`ℹ pass ${counts.pass}\nℹ fail ${counts.fail}`);

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { secret } from './deliveries.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const START_DEADLINE_MS = 200_000;
/** PGlite, which is WebAssembly, starts with half of the work where no code of it is optimized. Node's own parts take longer. */
const flagsOf = (name: string) => (name.includes('inbox/') ? ['--liftoff-only'] : []);

/** A recipe that runs in a separate process, as users run it. */
export interface Recipe extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Where it listens; empty for one that does not. */
  readonly url: string;
  /** Lines of the standard output. */
  readonly output: readonly string[];
  /** Lines of the standard error. */
  readonly errors: readonly string[];
  /** Asks it to end, and comes when all that it printed has arrived; with its exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts `examples/receivers/<name>.ts`, or the JavaScript that was compiled of one, and waits for its first line. */
export function startRecipe(name: string, env: Record<string, string> = {}): Promise<Recipe> {
  return startExample(`receivers/${name}`, { EXAM_SERVICE_WEBHOOK_SECRET: secret, PORT: '0', ...env });
}

/** Starts `examples/<name>.ts`, or `examples/<name>` where that is JavaScript, and waits until it is ready. */
export async function startExample(
  name: string,
  env: Record<string, string>,
  parameters: readonly string[] = [],
): Promise<Recipe> {
  const file = name.endsWith('.js') ? name : `${name}.ts`;
  const child = spawn(process.execPath, [...flagsOf(name), `examples/${file}`, ...parameters], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const errors: string[] = [];
  const closed = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const firstLine = new Promise<string>((resolve) => collect(child.stdout, output, resolve));
  collect(child.stderr, errors);
  const stop: Recipe['stop'] = async (signal = 'SIGTERM') => {
    child.kill(signal);
    const [code, endedBy] = await closed;
    return code ?? endedBy ?? 0;
  };
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_DEADLINE_MS);
  const line = await Promise.race([firstLine, closed]).finally(() => clearTimeout(deadline));
  if (typeof line !== 'string') {
    throw new Error(`${name} ended (${line.join()}) before it was ready:\n${errors.join('\n')}`);
  }
  const [url = ''] = /http:\S+/.exec(line) ?? [];
  return {
    process: child,
    url,
    output,
    errors,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}

/** Runs `examples/receivers/<name>.ts` with arguments, to its end. */
export function runRecipe(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: root, env: { ...process.env, ...env }, timeout: START_DEADLINE_MS };
  return new Promise((resolve) => {
    const parameters = [...flagsOf(name), `examples/receivers/${name}.ts`, ...args];
    execFile(process.execPath, parameters, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Collects whole lines, and reports the first that does not only name the service. */
function collect(stream: NodeJS.ReadableStream, lines: string[], onFirst?: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    const first = lines.find((line) => !line.startsWith('Service: '));
    if (first !== undefined) onFirst?.(first);
  });
}

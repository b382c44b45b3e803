// A reader who follows the README in an empty folder, with the package as it would be published.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The package, as the repository has it built. */
export const itself = 'exam-service-sdk';

/** Exists before its folder, so that a test can dispose of it while a hook that has timed out still installs. */
export class NewUser implements AsyncDisposable {
  folder = '';
  readonly #ending = new AbortController();
  readonly #programs: ReturnType<typeof spawn>[] = [];

  /** @param others Packages that the README has the reader install, taken from the repository */
  async install(others: readonly string[]): Promise<void> {
    const { signal } = this.#ending;
    await this.link([]);
    const here = { cwd: this.folder, signal };
    await run('npm', ['init', '-y'], here);
    const pack = ['pack', '--ignore-scripts', '--pack-destination', this.folder];
    await run('npm', pack, { cwd: repository, signal });
    const [tarball = ''] = (await readdir(this.folder)).filter((name) => name.endsWith('.tgz'));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], here);
    await this.link(others);
    signal.throwIfAborted();
  }

  /** Has these packages in the folder, taken from the repository. */
  async link(names: readonly string[]): Promise<void> {
    this.folder ||= await realpath(await mkdtemp(join(tmpdir(), 'exam-service-new-user-')));
    for (const name of names) {
      const target = join(this.folder, 'node_modules', name);
      await mkdir(dirname(target), { recursive: true });
      await symlink(name === itself ? repository : join(repository, 'node_modules', name), target);
    }
  }

  /** Runs a program of the folder and gives what it printed, whether it succeeded or not. */
  async node(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const options = { cwd: this.folder, env: { ...process.env, ...env }, timeout: 200_000 };
    const outcome = await run(process.execPath, args, options).catch(
      (failure: { stdout: string; stderr: string }) => failure,
    );
    return outcome.stdout + outcome.stderr;
  }

  /** Starts a program of the folder, which is stopped at the end, and gives the lines that it prints. */
  start(args: readonly string[], env: Record<string, string> = {}): AsyncIterator<string> {
    this.#ending.signal.throwIfAborted();
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#programs.push(child);
    return createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const child of this.#programs) {
      const exit = once(child, 'exit');
      if (child.kill()) await exit;
    }
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}

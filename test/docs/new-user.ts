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

/** What a reader of the README has after the installation: a folder with the package as it would be published. */
export interface NewUser extends AsyncDisposable {
  readonly folder: string;
  /** Runs a program of the folder and gives what it printed, whether it succeeded or not. */
  node(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Starts a program of the folder, which is stopped at the end, and gives the lines that it prints. */
  start(args: readonly string[], env?: Record<string, string>): AsyncIterator<string>;
}

/** @param others Packages that the README has the reader install, taken from the repository */
export async function createNewUser(others: readonly string[]): Promise<NewUser> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'exam-service-new-user-')));
  const programs: ReturnType<typeof spawn>[] = [];
  await run('npm', ['init', '-y'], { cwd: folder });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: repository });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
  for (const name of others) {
    const target = join(folder, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    await symlink(join(repository, 'node_modules', name), target);
  }
  return {
    folder,
    async node(args, env = {}) {
      const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 200_000 };
      const outcome = await run(process.execPath, args, options).catch(
        (failure: { stdout: string; stderr: string }) => failure,
      );
      return outcome.stdout + outcome.stderr;
    },
    start(args, env = {}) {
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      programs.push(child);
      return createInterface(child.stdout)[Symbol.asyncIterator]();
    },
    async [Symbol.asyncDispose]() {
      for (const child of programs) {
        const exit = once(child, 'exit');
        child.kill();
        await exit;
      }
      await rm(folder, { recursive: true });
    },
  };
}

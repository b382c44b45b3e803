import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { home, npm, repository } from './command.ts';

/** A project outside the repository with the packed package installed, as any user has one. */
export interface ForeignProject extends AsyncDisposable {
  /** The tarball that was installed. */
  readonly tarball: string;
  /** Its folder, with parts of this package in it, as modules. */
  readonly folder: string;
  /** The folder of the installed package. */
  readonly installed: string;
  /** Copies a folder of this package into one of the project. */
  copy(part: string, target: string): Promise<void>;
  /** A new folder in it, in which `.js` is CommonJS unless `type` says otherwise. */
  subfolder(name: string, type?: 'module' | 'commonjs'): Promise<string>;
}

/**
 * Packs what is in `dist` and installs the tarball. The tools are found one folder further up, where they
 * cannot be mistaken for something that the package brought.
 */
export async function createForeignProject(): Promise<ForeignProject> {
  const root = await mkdtemp(join(tmpdir(), 'exam-service-sdk-'));
  const folder = join(root, 'project');
  const name = (
    await npm(['pack', '--ignore-scripts', '--pack-destination', root], { cwd: repository })
  ).trim();
  const tarball = join(root, name.split('\n').at(-1) ?? '');
  await symlink(join(home, 'node_modules'), join(root, 'node_modules'), 'junction');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npm(['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  const copy = (part: string, target: string) => cp(join(home, part), target, { recursive: true });
  for (const part of ['scenario', 'types', 'bundlers']) await copy(part, join(folder, part));
  return {
    tarball,
    copy,
    folder,
    installed: join(folder, 'node_modules', 'exam-service-sdk'),
    async subfolder(path, type = 'commonjs') {
      const created = join(folder, path);
      await mkdir(created, { recursive: true });
      await writeFile(join(created, 'package.json'), JSON.stringify({ private: true, type }));
      return created;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './new-user.ts';

const run = promisify(execFile);

export interface Site extends AsyncDisposable {
  readonly folder: string;
  /** What TypeDoc complained about. */
  readonly complaints: string;
}

/** Where `serveFolder` serves the site, as a host serves that of a project. */
export const basePath = '/some/project/';

/** The site as `npm run docs` makes it, in a separate folder. */
export async function makeSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'exam-service-site-'));
  const reference = join(folder, 'reference');
  const typedoc = join(repository, 'node_modules/typedoc/bin/typedoc');
  const options = ['--options', 'docs/typedoc.json', '--out', reference, '--logLevel', 'Warn'];
  const { stdout, stderr } = await run(process.execPath, [typedoc, ...options], {
    cwd: repository,
    env: { ...process.env, NO_COLOR: '1' },
  }).catch((failure: { stdout: string; stderr: string }) => failure);
  await run(process.execPath, ['scripts/site/build.ts', join(folder, 'site'), reference], {
    cwd: repository,
    env: { ...process.env, SITE_BASE_PATH: basePath },
  });
  return {
    folder: join(folder, 'site'),
    complaints: stdout + stderr,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

/** A static host, which serves the folder below a path. */
export async function serveFolder(
  folder: string,
): Promise<{ url: string; requested: string[] } & AsyncDisposable> {
  const requested: string[] = [];
  const server = createServer(async ({ url = '' }, response) => {
    requested.push(url);
    const path = new URL(url, 'http://localhost').pathname
      .replace(basePath, '/')
      .replace(/\/$/, '/index.html');
    const content = await readFile(folder + path).catch(() => undefined);
    const type = content ? (types[extname(path)] ?? 'text/plain') : 'text/html';
    response.writeHead(content ? 200 : 404, { 'content-type': type, 'cache-control': 'max-age=600' });
    response.end(content ?? (await readFile(`${folder}/404.html`)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${basePath}`,
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

// Writes spec/openapi.json: npm run openapi
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createDocument } from './document.ts';
import { operations } from './operations.ts';

const root = new URL('../../', import.meta.url);

const name = 'spec/openapi.json';

/** The text of the document, formatted like the rest of the repository. */
export async function renderDocument(): Promise<string> {
  const input = JSON.stringify(await createDocument(operations), null, 2);
  const { stdout, stderr, status } = spawnSync(
    'node_modules/.bin/biome',
    ['format', `--stdin-file-path=${name}`],
    { cwd: root, input, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`);
  return stdout;
}

if (import.meta.main) await writeFile(new URL(name, root), await renderDocument());

// Writes spec/openapi.json and docs/emulator-control.json: npm run openapi
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createControlDocument } from './control.ts';
import { createDocument } from './document.ts';
import { operations } from './operations.ts';

const root = new URL('../../', import.meta.url);

const documents = {
  'spec/openapi.json': () => createDocument(operations),
  'docs/emulator-control.json': createControlDocument,
} as const;

/** The text of a generated document, formatted like the rest of the repository. */
export async function renderDocument(name: keyof typeof documents = 'spec/openapi.json'): Promise<string> {
  const input = JSON.stringify(await documents[name](), null, 2);
  const { stdout, stderr, status } = spawnSync(
    'node_modules/.bin/biome',
    ['format', `--stdin-file-path=${name}`],
    { cwd: root, input, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`);
  return stdout;
}

if (import.meta.main) {
  for (const name of Object.keys(documents) as (keyof typeof documents)[]) {
    await writeFile(new URL(name, root), await renderDocument(name));
  }
}

// The licences of what is compiled into the package, as their packages bring them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CompiledIn } from './packages.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** The licence file of a package. */
function licenseFile(name: string): string {
  const file = readdirSync(modules + name).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined)
    throw new Error(`${name} has no licence that could be kept, so it cannot be compiled in.`);
  return `${modules}${name}/${file}`;
}

function noticeOf({ name, version }: CompiledIn): string {
  return `## ${name} ${version}\n\n\`\`\`text\n${readFileSync(licenseFile(name), 'utf8').trim()}\n\`\`\``;
}

export function renderNotices(packages: readonly CompiledIn[]): string {
  const head = `# Third-party notices

The published files contain code of these packages, compiled in. The build writes this file.`;
  return `${[head, ...packages.map(noticeOf)].join('\n\n')}\n`;
}

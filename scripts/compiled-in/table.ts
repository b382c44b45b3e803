// The table in docs/SECURITY.md of what is compiled into which entry, made from the bill in `dist`: npm run security-table
import { readFileSync, writeFileSync } from 'node:fs';
import { ENTRY } from './sbom.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const generated = /(<!-- compiled in: begin -->\n).*?(\n<!-- compiled in: end -->)/s;

interface Component {
  readonly name: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** How an entry is known to users. */
function titleOf(entry: string): string {
  if (entry === 'cli') return 'the command line';
  if (entry === 'index') return '`exam-service-sdk`';
  return `\`exam-service-sdk/${entry.replace('testing-', 'testing/')}\``;
}

/** What docs/SECURITY.md should be after this build. */
export function renderSecurityPolicy(): string {
  const { components }: { components: readonly Component[] } = JSON.parse(read('dist/sbom.cdx.json'));
  const { exports } = JSON.parse(read('package.json'));
  const entries = Object.entries(exports)
    .filter(([, entry]) => typeof entry === 'object')
    .map(([path]) => (path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')));
  const rows = [...entries, 'cli'].map((entry) => {
    const names = components
      .filter(({ properties }) => properties.some(({ name, value }) => name === ENTRY && value === entry))
      .map(({ name }) => name);
    return `| ${titleOf(entry)} | ${names.join(', ') || 'nothing'} |`;
  });
  const table = `\n| entry | compiled in |\n|---|---|\n${rows.join('\n')}\n`;
  return read('docs/SECURITY.md').replace(generated, (_, begin, end) => begin + table + end);
}

if (import.meta.main) writeFileSync(new URL('docs/SECURITY.md', root), renderSecurityPolicy());

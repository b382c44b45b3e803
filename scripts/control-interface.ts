// Writes the table of routes in docs/control-interface.md: npm run control-interface
import { readFile, writeFile } from 'node:fs/promises';
import { controlRoutes } from '../src/testing/control/serve.ts';
import { describeField, fieldsOf } from '../src/testing/schema/description.ts';

const file = new URL('../docs/control-interface.md', import.meta.url);

/** The document with the table of the routes that there are, as its last section. */
export async function renderRoutes(): Promise<string> {
  const [text = ''] = (await readFile(file, 'utf8')).split(/(?<=\n\| route \| [^\n]+\n\|[-|]+\n)/);
  const rows = controlRoutes.map(({ method, path, title, input, losesData }) => {
    const does = [`${title}.`, describeField(input).sentence, losesData ? 'Loses data.' : ''];
    const fields = Object.entries(fieldsOf(input)).map(
      ([name, schema]) => `\`${name}${describeField(schema).isRequired ? '' : '?'}\``,
    );
    return `| \`${method} ${path}\` | ${does.filter(Boolean).join(' ')} | ${fields.join(', ')} |\n`;
  });
  return text + rows.join('');
}

if (import.meta.main) await writeFile(file, await renderRoutes());

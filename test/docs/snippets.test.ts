import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preludeOf, type Snippet } from '../../scripts/site/snippets.ts';
import { ExamClient } from '../../src/index.ts';
import { tsc } from '../helpers/compiler.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { type Document, documents, readme } from './documents.ts';
import { NewUser } from './new-user.ts';

/** The options of a command as a document shows it. */
function optionsOf(command: string, document: Document | undefined = readme): string[] {
  const block = document?.block('sh', `sdk ${command}`).replaceAll(/ \\\n +/g, ' ') ?? '';
  const line = new RegExp(`npx exam-service-sdk ${command} (.*)`).exec(block);
  return line?.[1]?.split(' ') ?? [];
}

const address = 'http://127.0.0.1:4010/api/v1';
const cli = 'node_modules/exam-service-sdk/dist/cli.js';
/** Libraries with which the documents show the client. */
const shown = ['@tanstack/react-query', 'react', '@types/react', 'pino'];
const mark = (index: number) => `--- snippet ${index}`;
const typed = (file: string) => `${file.replaceAll(/\W+/g, '-')}.mts`;
const apart = documents.flatMap(({ snippets }) => snippets.filter(({ isApart }) => isApart));

interface Program {
  readonly name: string;
  readonly file: string;
  readonly prelude: string;
  readonly snippets: readonly Snippet[];
}

/** What prints what is shown: the program of each document, and before it what stands alone without a file. */
const programs = documents.flatMap(({ name, text, snippets }): Program[] => {
  const continued = snippets.filter(({ isApart }) => !isApart);
  // Where the document names a file it is JavaScript, which is run as such.
  const file = continued[0]?.file ?? typed(name);
  const alone = snippets.filter((snippet) => snippet.isApart && snippet.file === undefined);
  return [
    ...alone.map((snippet, index) => ({
      name: `${name}, alone`,
      file: typed(`${name}-${index}`),
      prelude: '',
      snippets: [snippet],
    })),
    { name, file, prelude: preludeOf(text, readme.text), snippets: continued },
  ].filter((program) => program.snippets.length > 0);
});

describe('what the documents show, followed from an empty folder', () => {
  const user = new NewUser();
  let baseUrl: string;
  let receiver: AsyncIterator<string>;
  const checked: string[] = [];

  /** Writes a program, and once more as TypeScript, to be compiled. */
  async function write(file: string, code: string): Promise<void> {
    checked.push(typed(file));
    for (const name of [file, typed(file)]) await writeFile(join(user.folder, name), code);
  }

  beforeAll(async () => {
    await user.install(['zod', '@types/node', '@opentelemetry/api', ...shown]);
    for (const { file, code } of apart) if (file !== undefined) await write(file, code);
    receiver = user.start(['receiver.mjs'], { PORT: '0' });
    const [, port = ''] = /port: (\d+)/.exec((await receiver.next()).value) ?? [];
    const emulator = user.start([cli, 'emulator', ...optionsOf('emulator'), '--port', '0', '--json']);
    baseUrl = JSON.parse((await emulator.next()).value).base_url;
    const client = new ExamClient({ baseUrl, apiKey: 'test-key' });
    await client.webhooks.update(1, { url: `http://127.0.0.1:${port}` });
    for (const { file, prelude, snippets } of programs) {
      const pasted = snippets.map(({ code }, index) => `console.log('${mark(index)}');\n${code}`);
      const program = `${prelude}\n${pasted.join('\n')}\nprocess.exit();\n`;
      await write(file, program.replaceAll(address, baseUrl));
    }
    await writeFile(join(user.folder, 'page.mjs'), `globalThis.location = new URL('${baseUrl}');\n`);
  });

  afterAll(() => user[Symbol.asyncDispose]());

  it('compiles', async () => {
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    };
    const config = JSON.stringify({ compilerOptions, files: checked });
    await writeFile(join(user.folder, 'tsconfig.json'), config);
    expect(await user.node([tsc, '-p', user.folder])).toBe('');
  });

  it.each(programs)('prints what is shown: $name', async ({ file, snippets }) => {
    const shown = snippets.map(({ output }, index) => `${mark(index)}\n${output}`).join('');
    const env = {
      EXAM_SERVICE_BASE_URL: baseUrl,
      EXAM_SERVICE_API_KEY: 'test-key',
      EXAM_SERVICE_WEBHOOK_SECRET: 'whsec_demo',
      PORT: '0',
    };
    // The second time it meets what the first has left.
    for (const time of longOrShort(['first', 'second'], ['first'])) {
      const printed = await user.node(['--import', './page.mjs', file], env);
      expect(printed, `the ${time} time`).toBe(shown);
    }
  });

  it('delivers to the receiver of the README what its command asks for', async () => {
    const options = optionsOf('trigger').map((option) => option.replace(address, baseUrl));
    const printed = await user.node([cli, 'trigger', ...options], { EXAM_SERVICE_API_KEY: 'test-key' });
    expect(printed).toContain('queued a test delivery of exam_result.completed to endpoint 1');
    const { value: line } = await receiver.next();
    expect(readme.block('text', line)).toBe(`${line}\n`);
  });

  it('passes the test of the README', async () => {
    const printed = await user.node(['--test']);
    expect(printed).toMatch(/pass 1$/m);
    expect(printed).toMatch(/fail 0$/m);
  });

  it('writes schemas with the command of docs/validation.md', async () => {
    const validation = documents.find(({ name }) => name === 'docs/validation.md');
    const options = optionsOf('inspect', validation).map((option) => option.replace(address, baseUrl));
    const printed = await user.node([cli, 'inspect', ...options], { EXAM_SERVICE_API_KEY: 'test-key' });
    expect(printed).toContain('Wrote exam-service-schemas.ts');
    const written = await readFile(join(user.folder, 'exam-service-schemas.ts'), 'utf8');
    expect(written).toContain('export const schemas = { participant, exam, examResult };');
  });
});

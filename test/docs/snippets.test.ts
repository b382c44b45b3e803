import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, documents, readme } from './documents.ts';
import { createNewUser, type NewUser, repository } from './new-user.ts';

/** The options of a command as the README shows it. */
function optionsOf(command: string): string[] {
  const line = new RegExp(`npx exam-service-sdk ${command} (.*)`).exec(readme.block('sh', `sdk ${command}`));
  return line?.[1]?.split(' ') ?? [];
}

const address = 'http://127.0.0.1:4010/api/v1';
const mark = (index: number) => `--- snippet ${index}`;
const programs = documents.filter(({ snippets }) => snippets.length > 0);
const fileOf = ({ name }: Document) => `${name.replaceAll(/\W+/g, '-')}.mts`;

/** A document that continues the README's first call, and says so, begins with its client. */
function preludeOf({ text }: Document): string {
  if (!text.includes('README.md#first-call')) return '';
  return readme.snippets[0]?.code.split('\n\n').slice(0, 2).join('\n') ?? '';
}

describe('what the documents show, followed from an empty folder', () => {
  let user: NewUser;
  let baseUrl: string;

  beforeAll(async () => {
    user = await createNewUser(['zod', '@types/node', '@opentelemetry/api']);
    await writeFile(join(user.folder, 'seed.json'), readme.block('json', '"exams"'));
    baseUrl = await user.startEmulator(optionsOf('emulator'));
    for (const document of programs) {
      const pasted = document.snippets.map(({ code }, index) => `console.log('${mark(index)}');\n${code}`);
      const program = `${preludeOf(document)}\n${pasted.join('\n')}\nprocess.exit();\n`;
      await writeFile(join(user.folder, fileOf(document)), program.replaceAll(address, baseUrl));
    }
    await writeFile(join(user.folder, 'page.mjs'), `globalThis.location = new URL('${baseUrl}');\n`);
  }, 60_000);

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
    const config = JSON.stringify({ compilerOptions, files: programs.map(fileOf) });
    await writeFile(join(user.folder, 'tsconfig.json'), config);
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    expect(await user.node([tsc, '-p', user.folder])).toBe('');
  }, 120_000);

  it.each(programs)(
    'prints what is shown, twice in a row: $name',
    async (document) => {
      const shown = document.snippets.map(({ output }, index) => `${mark(index)}\n${output}`).join('');
      const env = { PORT: '0', EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: 'test-key' };
      for (const time of ['first', 'second']) {
        const printed = await user.node(['--import', './page.mjs', fileOf(document)], env);
        expect(printed, `the ${time} time`).toBe(shown);
      }
    },
    60_000,
  );

  it('asks for a test delivery to the endpoint of the seed', async () => {
    const program = 'node_modules/exam-service-sdk/dist/cli.js';
    const env = { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: 'test-key' };
    const printed = await user.node([program, 'trigger', ...optionsOf('trigger')], env);
    expect(printed).toContain('queued a test delivery of exam_result.completed to endpoint 1');
  });

  it('writes schemas with the command of the README', async () => {
    const options = optionsOf('inspect').map((option) => option.replace(address, baseUrl));
    const program = 'node_modules/exam-service-sdk/dist/cli.js';
    const printed = await user.node([program, 'inspect', ...options], { EXAM_SERVICE_API_KEY: 'test-key' });
    expect(printed).toContain('Wrote exam-service-schemas.ts');
    const written = await readFile(join(user.folder, 'exam-service-schemas.ts'), 'utf8');
    expect(written).toContain('export const schemas = { participant, exam, examResult };');
  }, 60_000);
});

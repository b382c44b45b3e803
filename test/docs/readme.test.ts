import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNewUser, type NewUser, repository } from './new-user.ts';

const readme = await readFile(join(repository, 'README.md'), 'utf8');

/** Every TypeScript block in order, with the output that is shown below it. */
const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map(
  ([, code = '', output = '']) => ({ code, output, title: code.split('\n')[0] ?? '' }),
);

/** The block of another language that holds this. */
function block(language: string, holding: string): string {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return blocks.map(([, text = '']) => text).find((text) => text.includes(holding)) ?? '';
}

/** The options of a command as the README shows it. */
function optionsOf(command: string): string[] {
  const line = new RegExp(`npx exam-service-sdk ${command} (.*)`).exec(block('sh', `sdk ${command}`));
  return line?.[1]?.split(' ') ?? [];
}

const address = 'http://127.0.0.1:4010/api/v1';
const mark = (index: number) => `--- snippet ${index}`;

describe('the README, followed from an empty folder', () => {
  let user: NewUser;
  let baseUrl: string;

  beforeAll(async () => {
    user = await createNewUser(['zod', '@types/node']);
    await writeFile(join(user.folder, 'seed.json'), block('json', '"exams"'));
    baseUrl = await user.startEmulator(optionsOf('emulator'));
    const pasted = snippets.map(({ code }, index) => `console.log('${mark(index)}');\n${code}`).join('\n');
    const program = `${pasted.replaceAll(address, baseUrl)}\nprocess.exit();\n`;
    await writeFile(join(user.folder, 'readme.mts'), program);
  }, 60_000);

  afterAll(() => user[Symbol.asyncDispose]());

  it('has snippets that compile', async () => {
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      types: ['node'],
    };
    const config = JSON.stringify({ compilerOptions, files: ['readme.mts'] });
    await writeFile(join(user.folder, 'tsconfig.json'), config);
    expect(await user.node([join(repository, 'node_modules/typescript/bin/tsc'), '-p', user.folder])).toBe(
      '',
    );
  }, 60_000);

  it('has snippets that print what stands below them', async () => {
    const printed = await user.node(['readme.mts'], { PORT: '0' });
    const shown = snippets.map(({ output }, index) => `${mark(index)}\n${output}`).join('');
    expect(printed).toBe(shown);
  }, 60_000);

  it('has a command that writes schemas', async () => {
    const options = optionsOf('inspect').map((option) => option.replace(address, baseUrl));
    const program = 'node_modules/exam-service-sdk/dist/cli.js';
    const printed = await user.node([program, 'inspect', ...options], { EXAM_SERVICE_API_KEY: 'test-key' });
    expect(printed).toContain('Wrote exam-service-schemas.ts');
    const written = await readFile(join(user.folder, 'exam-service-schemas.ts'), 'utf8');
    expect(written).toContain('export const schemas = { participant, exam, examResult };');
  }, 60_000);
});

describe('the README', () => {
  it('is short', () => {
    expect(readme.split('\n').length).toBeLessThan(500);
  });

  it('links to files that are there', async () => {
    for (const [, path = ''] of readme.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)) {
      expect((await readFile(join(repository, path))).length, path).toBeGreaterThan(0);
    }
  });

  it('has a section for every link within it', () => {
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor] of readme.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });

  it('names every error class and every option of the client', async () => {
    const errors = await import('../../src/index.ts');
    for (const [name, value] of Object.entries(errors)) {
      if (typeof value !== 'function' || !(value.prototype instanceof Error)) continue;
      if (name !== 'ExamServiceError') expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
    }
    const options = await readFile(join(repository, 'src/core/options.ts'), 'utf8');
    const client = /interface ClientOptions.*?\n\}/s.exec(options)?.[0] ?? '';
    for (const [, name] of client.matchAll(/^ {2}readonly (\w+)\?/gm))
      expect(readme).toContain(`\`${name}\``);
  });
});

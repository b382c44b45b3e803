import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { type Compilation, compileEach, compilers } from './compile.ts';
import { libraries } from './fetch.ts';

/** Generated, because the libraries are missing when the repository is type-checked: they are installed later. */
function sourceFor(library: string): string {
  return library === 'node-fetch' ? nodeFetchSource : undiciSource.replace('undici', library);
}

const undiciSource = `
import { Agent, fetch, ProxyAgent } from 'undici';
import { ExamClient } from 'exam-service-sdk';

const client = new ExamClient({ fetch, fetchOptions: { dispatcher: new Agent() } });
const dispatcher = new ProxyAgent('http://127.0.0.1:8080');
client.exams.list({}, { fetchOptions: { dispatcher } });
// @ts-expect-error: the types of the library are there, so this is no fetch
new ExamClient({ fetch: dispatcher });
`;

const nodeFetchSource = `
import { Agent } from 'node:https';
import fetch from 'node-fetch';
import { ExamClient } from 'exam-service-sdk';

const agent = new Agent();
const client = new ExamClient({ fetch, fetchOptions: { agent } });
client.exams.list({}, { fetchOptions: { agent } });
// @ts-expect-error: the types of the library are there, so this is no fetch
new ExamClient({ fetch: agent });
`;

/** With `dom`, browser and Node both declare the types of fetch. */
const settings = {
  node: { lib: ['es2022'], exactOptionalPropertyTypes: false },
  'node and dom': { lib: ['es2022', 'dom', 'dom.iterable'], exactOptionalPropertyTypes: true },
};

/** The client takes the `fetch` of every library without a cast. */
export function fetchTypesChecks(project: ForeignProject): Check[] {
  let written: Promise<string[]> | undefined;
  return compilers.map((compiler) => ({
    table: 'Fetch',
    row: `types, TypeScript ${versionOf(compiler)}`,
    columns: Object.keys(settings),
    isListed: false,
    async run(signal) {
      written ??= writeSources(project);
      const files = await written;
      const compilations = Object.values(settings).map(
        (options, index): Compilation => ({
          compiler,
          name: `fetch-${index}`,
          files,
          // The libraries' own declarations are not for every compiler.
          options: { ...options, ...nodenext, types: ['node'], skipLibCheck: true },
        }),
      );
      const outcomes = await compileEach(project, compilations, signal);
      return Object.fromEntries(
        Object.keys(settings).map((column, index) => [column, outcomes[index] ?? '']),
      );
    },
  }));
}

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };

function writeSources({ folder }: ForeignProject): Promise<string[]> {
  return Promise.all(
    libraries.map(async (library) => {
      const name = `fetch-${library}.ts`;
      await writeFile(join(folder, 'types', name), sourceFor(library));
      return name;
    }),
  );
}

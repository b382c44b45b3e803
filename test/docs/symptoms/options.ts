import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ExamClient } from '../../../src/index.ts';
import { failureOf, type Symptoms } from './symptom.ts';

const baseUrl = 'https://exams.example.com/api/v1';
const creating = (options: object) => () => failureOf(() => new ExamClient({ baseUrl, ...options }));

const built = fileURLToPath(new URL('../../../dist/index.cjs', import.meta.url));
/** What Jest's jsdom environment lacks of the platform. */
const lacking = ['TextEncoder', 'TextDecoder', 'fetch', 'Headers', 'Request', 'Response', 'ReadableStream'];

/** What a program prints that loads the package where the platform is not whole. */
function loadingWithout(names: readonly string[]): Promise<string> {
  const program = `for (const name of ${JSON.stringify(names)}) delete globalThis[name];
require(${JSON.stringify(built)});`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['-e', program], (_, __, printed) => resolve(printed));
  });
}

export const optionSymptoms: Symptoms = {
  'No base URL': creating({ baseUrl: '', apiKey: 'key' }),
  'No API key': creating({}),
  'is in quotes': creating({ apiKey: '"key-1234567890"' }),
  'begins with "Bearer "': creating({ apiKey: 'Bearer key' }),
  'contains a space, a line break': creating({ apiKey: 'key\n' }),
  'TextDecoder is not defined': () => loadingWithout(lacking),
  'uses plain http to': creating({ baseUrl: 'http://exams.example.com/api/v1', apiKey: 'key' }),
  'must be an absolute http or https URL': creating({ baseUrl: 'exams.example.com', apiKey: 'key' }),
  'Unknown name in the options of the client': creating({ apikey: 'key' }),
};

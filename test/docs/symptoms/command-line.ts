import { createEmulator } from '../../../src/testing/index.ts';
import { startCli } from '../../cli/helpers.ts';
import type { Symptoms } from './symptom.ts';

/** What the program says when it is called like this. */
async function complaintOf(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  await using run = startCli(args, { env });
  await run.exitCode;
  return run.stderr;
}

export const commandLineSymptoms: Symptoms = {
  'it is in use; choose another': async () => {
    await using server = await createEmulator().listen();
    return await complaintOf(['emulator', '--port', String(server.port)]);
  },
  'Unknown option': () => complaintOf(['emulator', '--demos']),
  'EXAM_SERVICE_BASE_URL is missing': () => complaintOf(['inspect'], { EXAM_SERVICE_API_KEY: 'key' }),
  'There is no webhook endpoint': async () => {
    await using server = await createEmulator().listen();
    const env = { EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: 'test-key' };
    return await complaintOf(['trigger', 'exam_result.completed', '--endpoint', '3'], env);
  },
};
